package main

import (
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/post"
)

var minute = time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)

// asItMustBe is two schedules with two firings each, and an absence whose mail was sent twice.
func asItMustBe() found {
	f := found{runs: 4, away: map[string]int{"m": 1}, notices: map[string]int{"m": 1}, losses: 1}
	for _, schedule := range []string{"a", "b"} {
		for n := range 2 {
			at := minute.Add(time.Duration(n) * time.Minute)
			f.firings = append(f.firings, firing{schedule: schedule, at: at, run: "run_" + schedule + at.Format("4")})
		}
	}
	f.Messages = []post.Message{
		{Notice: "ntc", About: "m", Channel: "mail", ID: "msg_1", State: "sent", Attempts: 2, Resends: 1, Arrived: 2},
		{Notice: "ntc", About: "m", Channel: "webhook", ID: "msg_2", State: "sent", Attempts: 1, Arrived: 1},
	}
	return f
}

func TestProblems_areNoneWhereAllIsRight(t *testing.T) {
	if said := asItMustBe().problems(4); len(said) > 0 {
		t.Errorf("problems: %q", said)
	}
}

func TestProblems_sayWhatIsNotRight(t *testing.T) {
	for want, spoil := range map[string]func(*found){
		"4 firings are fewer than 5":              nil,
		"of a the firing after 08:00:00 UTC is":   func(f *found) { f.firings[1].at = minute.Add(2 * time.Minute) },
		"the firing of a at 08:01:00 UTC made no": func(f *found) { f.firings[1].run, f.firings[1].reason = "", "Because." },
		"run_a0 is of two firings":                func(f *found) { f.firings[1].run = "run_a0" },
		"there are 5 runs of schedules":           func(f *found) { f.runs = 5 },
		"m was away 1 times, and there are 2":     func(f *found) { f.notices["m"] = 2 },
		"the mail msg_1 is dead":                  func(f *found) { f.Messages[0].State = "dead" },
		"msg_2 arrived 2 times, and was":          func(f *found) { f.Messages[1].Arrived = 2 },
		"msg_2 arrived 0 times":                   func(f *found) { f.Messages[1].Arrived = 0 },
		"ntc is told by mail, and":                func(f *found) { f.Messages = f.Messages[:1] },
		"ntc is told by mail, mail, webhook":      func(f *found) { f.Messages = append(f.Messages, f.Messages[0]) },
		"0 absences were told, and there were 1":  func(f *found) { f.Messages = nil },
		"no sender was killed":                    func(f *found) { f.losses = 0 },
		"1 messages were sent again, and 2":       func(f *found) { f.losses = 2 },
		"wrong signature":                         func(f *found) { f.Forged = 1 },
		"that the outbox does not have":           func(f *found) { f.Strange = 1 },
	} {
		f, least := asItMustBe(), 4
		if spoil == nil {
			least = 5
		} else {
			spoil(&f)
		}
		if said := strings.Join(f.problems(least), "\n"); !strings.Contains(said, want) {
			t.Errorf("must say %q, says %q", want, said)
		}
	}
}

func TestHolds_knowsWhoseSocketItIs(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if !holds(os.Getpid(), listener.Addr()) {
		t.Error("this process holds its own socket")
	}
	if holds(os.Getppid(), listener.Addr()) {
		t.Error("its parent does not")
	}
}
