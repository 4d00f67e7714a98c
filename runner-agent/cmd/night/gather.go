package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/provide"
)

// firing is a line of a schedule's past.
type firing struct {
	At                    time.Time
	ByHand                bool
	Run, RunState         *string // nil: it was skipped
	Skip, Reason          *string
	StartedAt, FinishedAt *time.Time
}

const nothingNew = "nothing-new" // kind of a skip

// came is what came of it, in words.
func (f firing) came() string {
	if f.Run != nil {
		return strings.TrimSpace("run " + *f.Run + " " + local.Text(f.RunState))
	}
	return "skipped (" + local.Text(f.Skip) + "). " + local.Text(f.Reason)
}

// nothingNewAfter is whether a firing after a time was skipped because nothing was new.
func nothingNewAfter(firings []firing, at time.Time) bool {
	return slices.ContainsFunc(firings, func(f firing) bool { return f.At.After(at) && local.Text(f.Skip) == nothingNew })
}

// point is one of a history.
type point struct{ metric, build, run string }

// found is all that came of the firings.
type found struct {
	firings  []firing
	offered  time.Time            // when the new build's archive was as its checksum says
	refused  string               // what the machine's page said before of it
	runs     map[string]local.Run // of the firings, by their ids
	served   []served
	brought  []provide.Entry
	leftover []string // names in the cache that are neither a build nor its receipt
	points   []point
	compared int // tests that the run of the new build declared between it and the one before
	control  string
	before   string
	next     string
	version  string // of next
}

// gather reads what is there once the firings are over. Points come a little after a run.
func (n *night) gather(ctx context.Context, firings []firing) (f found, err error) {
	f = found{firings: firings, offered: n.offered, refused: n.refused, runs: map[string]local.Run{}, before: n.before.Slug, next: n.next.Slug,
		version: n.next.RuntimeVersion, served: n.catalogue.served()}
	for _, one := range firings {
		if one.Run == nil {
			continue
		}
		if f.runs[*one.Run], err = n.run(ctx, *one.Run); err != nil {
			return f, err
		}
	}
	var page struct{ Control struct{ Build *string } }
	if err := n.get(ctx, n.schedule+".json", &page); err != nil {
		return f, err
	}
	f.control = local.Text(page.Control.Build)
	if f.compared, err = n.compared(ctx, f); err != nil {
		return f, err
	}
	if f.brought, f.leftover, err = n.cache(); err != nil {
		return f, err
	}
	limit := time.Now().Add(judgedIn)
	err = n.until(ctx, func() (bool, error) {
		f.points, err = n.points(ctx)
		return len(f.pointProblems()) == 0 || time.Now().After(limit), err
	})
	return f, err
}

// compared counts the tests between the new build and the one before it, in the run of the new one.
func (n *night) compared(ctx context.Context, f found) (tests int, err error) {
	for id, run := range f.runs {
		if !slices.Contains(measured(run), f.next) {
			continue
		}
		var page struct {
			Families []struct {
				Tests []struct{ Baseline, Candidate struct{ JDK string } }
			}
		}
		if err := n.get(ctx, "/runs/"+id+"/verdicts.json", &page); err != nil {
			return 0, err
		}
		for _, family := range page.Families {
			for _, t := range family.Tests {
				if t.Baseline.JDK == f.before && t.Candidate.JDK == f.next || t.Baseline.JDK == f.next && t.Candidate.JDK == f.before {
					tests++
				}
			}
		}
	}
	return tests, nil
}

// points are all of the histories of the new build's cell, of each metric and each build beside it.
func (n *night) points(ctx context.Context) (all []point, err error) {
	var build struct{ Results []struct{ Series *string } }
	if err := n.get(ctx, fmt.Sprintf("/jdks/%d/%s.json", n.next.Feature, n.next.Slug), &build); err != nil {
		return nil, err
	}
	var todo []string
	for _, r := range build.Results {
		if r.Series != nil {
			todo = append(todo, *r.Series)
		}
	}
	for at := 0; at < len(todo); at++ { // the first names the others
		var history struct {
			Metric   string
			Siblings []struct{ Series string }
			Tracks   []struct{ Points []struct{ Build, Run string } }
		}
		if err := n.get(ctx, "/series/"+todo[at]+".json", &history); err != nil {
			return nil, err
		}
		for _, track := range history.Tracks {
			for _, p := range track.Points {
				all = append(all, point{history.Metric, p.Build, p.Run})
			}
		}
		for _, s := range history.Siblings {
			if !slices.Contains(todo, s.Series) {
				todo = append(todo, s.Series)
			}
		}
	}
	return all, nil
}

// cache is what the provider brought, and what lies beside it that is not whole.
func (n *night) cache() (brought []provide.Entry, leftover []string, err error) {
	p, err := provide.New(n.provider, n.provider.Cache, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, nil, err
	}
	if brought, err = p.Entries(); err != nil {
		return nil, nil, err
	}
	names, err := os.ReadDir(p.Folder())
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if !belongs(name.Name(), brought) {
			leftover = append(leftover, name.Name())
		}
	}
	return brought, leftover, nil
}

// belongs is whether a name in the cache is a build's folder or its receipt, or a small file that the provider keeps for itself.
func belongs(name string, brought []provide.Entry) bool {
	if strings.HasPrefix(name, ".") {
		return !strings.HasPrefix(name, ".work-") && !strings.HasSuffix(name, durable.HalfWritten)
	}
	return slices.ContainsFunc(brought, func(e provide.Entry) bool {
		home := filepath.Base(e.Home)
		return name == home || name == home+".json"
	})
}

// measured are the builds of a run's trials, in their order, each once.
func measured(run local.Run) (builds []string) {
	for _, t := range run.Trials {
		if !slices.Contains(builds, t.JDK) {
			builds = append(builds, t.JDK)
		}
	}
	return builds
}
