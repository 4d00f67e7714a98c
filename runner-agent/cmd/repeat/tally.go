package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"loomboard.dev/agent/internal/evidence"
)

// line is one group's rounds.
type line struct {
	evidence.Place
	Dirty     bool           `json:"dirty"` // changes were not committed: it is of no commit, and is not added up
	At        time.Time      `json:"at"`    // when it began
	Group     string         `json:"group"` // a package of the agent, or classes of the service with commas between
	Times     int            `json:"times"` // asked for
	Ran       int            `json:"ran"`   // fewer, when it was stopped
	Green     int            `json:"green"`
	Failed    map[string]int `json:"failed"` // rounds in which a test failed, by its name
	Seconds   float64        `json:"seconds"`
	BusyCores int            `json:"busyCores"`
}

// enter counts a round and says how it ended.
func (l *line) enter(said []byte, err error) string {
	l.Ran++
	failed := failures(said, err)
	if len(failed) == 0 {
		l.Green++
		return "green"
	}
	for name := range failed {
		l.Failed[name]++
	}
	return "FAILED: " + strings.Join(slices.Sorted(maps.Keys(failed)), " ")
}

// tally is the file of all lines; nil: none is kept.
type tally struct {
	place   evidence.Place
	changed string // what is not committed, as git lists it
	file    *evidence.File[line]
}

// add keeps a line, if any round of it came to its end.
func (t *tally) add(l line) error {
	if t == nil || l.Ran == 0 {
		return nil
	}
	l.Place, l.Dirty = t.place, t.changed != ""
	return t.file.Add(l)
}

// sum is what the file holds of one name.
type sum struct{ ran, green int }

// sums adds up what was committed at this machine and commit, by package and class.
func (t *tally) sums() map[string]sum {
	all := map[string]sum{}
	for _, l := range t.file.All {
		if l.Place != t.place || l.Dirty {
			continue
		}
		for name := range strings.SplitSeq(l.Group, ",") {
			s := all[name]
			all[name] = sum{s.ran + l.Ran, s.green + l.Green}
		}
	}
	return all
}

func (t *tally) print(out io.Writer) {
	if t == nil {
		return
	}
	if t.changed != "" {
		fmt.Fprintf(out, "These changes are not committed, so the lines are not added up:\n%s\n", t.changed)
		return
	}
	all := t.sums()
	fmt.Fprintf(out, "Of commit %s on this machine, in all parts so far:\n", t.place.Commit)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(table, "%s\t%d rounds\t%d green\n", name, all[name].ran, all[name].green)
	}
	table.Flush()
}
