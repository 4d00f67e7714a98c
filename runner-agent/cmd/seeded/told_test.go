package main

import (
	"strings"
	"testing"

	"loomboard.dev/agent/internal/post"
	"loomboard.dev/agent/internal/testbed"
)

// told is a confirmed change as it must be told; its mail was lost once.
func told() []post.Message {
	return []post.Message{
		{Notice: "ntc_1", Channel: "mail", ID: "msg_1", State: "sent", Attempts: 2, Arrived: 2},
		{Notice: "ntc_1", Channel: "webhook", ID: "msg_2", State: "sent", Attempts: 1, Arrived: 1},
	}
}

func TestUntold_isNothingWhereAllWasToldOnce(t *testing.T) {
	for name, o := range map[string]outcome{"confirmed": {Status: "confirmed", Messages: told()}, "cleared": {Status: "cleared"}, "clean": {}} {
		if said := o.untold(); len(said) > 0 {
			t.Errorf("%s: %q", name, said)
		}
	}
}

func TestUntold_saysWhatIsNotRight(t *testing.T) {
	for want, spoil := range map[string]func(*outcome){
		"msg_2 tells of ntc_2":                func(o *outcome) { o.Messages[1].Notice = "ntc_2" },
		"the mail msg_1 is dead":              func(o *outcome) { o.Messages[0].State = "dead" },
		"msg_1 was sent 2 times, and arrived": func(o *outcome) { o.Messages[0].Arrived = 1 },
		"told by [mail], and must be by":      func(o *outcome) { o.Messages = o.Messages[:1] },
		"told by [mail, mail, webhook]":       func(o *outcome) { o.Messages = append(o.Messages, o.Messages[0]) },
		"told by [], and must be by":          func(o *outcome) { o.Messages = nil },
		"must be by []":                       func(o *outcome) { o.Status = "cleared" },
		"1 calls of the webhook have a wrong": func(o *outcome) { o.Forged = 1 },
		"that the outbox does not have":       func(o *outcome) { o.Strange = 1 },
	} {
		o := outcome{Status: "confirmed", Messages: told()}
		spoil(&o)
		if said := strings.Join(o.untold(), "\n"); !strings.Contains(said, want) {
			t.Errorf("must say %q, says %q", want, said)
		}
	}
}

func TestLoseOne_losesOne(t *testing.T) {
	lose := loseOne()
	if !lose(nil, testbed.Received{}) || lose(nil, testbed.Received{}) {
		t.Error("the first must be lost, and no other")
	}
}
