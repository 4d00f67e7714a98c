package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/post"
)

// outcome is what became of a series. What did not happen is null.
type outcome struct {
	evidence.Place
	At         time.Time `json:"at"`
	Matrix     string    `json:"matrix,omitempty"` // that a night ran; absent in older ones: seeded
	Series     string    `json:"series"`
	Kind       string    `json:"kind"`
	Effect     float64   `json:"effect"` // that was seeded; 0: none
	Quiet      int       `json:"quietNights"`
	Nights     int       `json:"nights"` // on the new level
	Invalid    int       `json:"invalidTrials"`
	Suspected  bool      `json:"suspected"`
	Status     string    `json:"status"` // of the change: suspect, confirmed or cleared; "": none
	Verdict    *string   `json:"verdict"`
	Found      *float64  `json:"found"` // new build ÷ good build
	Low        *float64  `json:"low"`   // of the 95 % interval
	High       *float64  `json:"high"`
	Blocks     int       `json:"blocks"`         // of its rerun
	Minutes    *float64  `json:"rerunMinutes"`   // from suspicion to answer
	FalseTests []string  `json:"otherConfirmed"` // what was confirmed besides

	Messages []post.Message `json:"messages"` // of the outbox, and what of them arrived
	Forged   int            `json:"forged"`   // calls whose signature is wrong
	Strange  int            `json:"strange"`  // mails and calls that the outbox does not have
}

// right says whether the service answered what is so.
func (o outcome) right() bool {
	return (o.Status == "confirmed") == (o.Effect > 0) && len(o.FalseTests) == 0
}

// untold are sentences on all that was not told as it must be: of what is confirmed one notice, in one message by each channel. The first
// mail is lost, so that its sender does not hear that it came, and comes again as the same.
func (o outcome) untold() (all []string) {
	say := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	var by []string
	for _, m := range o.Messages {
		by = append(by, m.Channel)
		switch {
		case m.Notice != o.Messages[0].Notice:
			say("%s tells of %s, and another message of %s", m.ID, m.Notice, o.Messages[0].Notice)
		case m.State != "sent":
			say("the %s %s is %s: %s", m.Channel, m.ID, m.State, m.Error)
		case m.Arrived != m.Attempts:
			say("the %s %s was sent %d times, and arrived %d times", m.Channel, m.ID, m.Attempts, m.Arrived)
		}
	}
	var must []string
	if o.Status == "confirmed" {
		must = post.Channels
	}
	if slices.Sort(by); !slices.Equal(by, must) {
		say("it was told by [%s], and must be by [%s]", strings.Join(by, ", "), strings.Join(must, ", "))
	}
	if o.Forged > 0 {
		say("%d calls of the webhook have a wrong signature", o.Forged)
	}
	if o.Strange > 0 {
		say("%d messages came that the outbox does not have", o.Strange)
	}
	return all
}

func (o outcome) String() string {
	out := fmt.Sprintf("%.0f %% seeded (%s), ", 100*o.Effect, o.Kind)
	switch {
	case !o.Suspected:
		out += fmt.Sprintf("not suspected in %d nights", o.Nights)
	case o.Minutes == nil:
		out += "suspected, no rerun came to an answer"
	default:
		out += fmt.Sprintf("suspected in night %d, %s after %d blocks in %.0f min: %s", o.Nights, o.Status, o.Blocks, *o.Minutes,
			cmp.Or(local.Ratio(o.Found, o.Low, o.High), "no verdict"))
	}
	for _, f := range o.FalseTests {
		out += "; also confirmed: " + f
	}
	for _, m := range o.Messages {
		out += fmt.Sprintf("; %s arrived %d times as %s", m.Channel, m.Arrived, m.ID)
	}
	for _, u := range o.untold() {
		out += "; " + u
	}
	return out
}

// night is the preset that it ran.
func (o outcome) night() string { return cmp.Or(o.Matrix, usualMatrix) }

func holds(file *evidence.File[outcome], where evidence.Place, matrix, series string) bool {
	return slices.ContainsFunc(file.All, func(o outcome) bool { return o.Place == where && o.night() == matrix && o.Series == series })
}
