package main

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/local"
)

// concluded is what came of a run: of its /runs/…/verdicts.json what `loomboard.jar aa` reads, and which cells it is of.
type concluded struct {
	evidence.Place
	At      time.Time `json:"at"`
	Matrix  string    `json:"matrix"`
	Run     string    `json:"runId"`
	State   string    `json:"state"`   // of the run; one that failed is counted, too: its comparisons have no verdict
	Trials  string    `json:"trials"`  // what became of them, in words
	Minutes float64   `json:"minutes"` // from its creation to its end
	verdicts
}

type verdicts struct {
	Schema   string   `json:"schema"`
	Families []family `json:"families"`
}

type family struct {
	Axis  string `json:"axis"`
	Tests []test `json:"tests"`
}

type test struct {
	Metric    string    `json:"metric"`
	Baseline  side      `json:"baseline"`
	Candidate side      `json:"candidate"`
	Outcome   *decision `json:"outcome"` // null: the run has not ended
}

type side struct {
	Server  string `json:"server"`
	Variant string `json:"variant"`
	JDK     string `json:"jdk"`
}

type decision struct {
	Blocks        int      `json:"blocks"`
	SuspectBlocks int      `json:"suspectBlocks"`
	Effect        *float64 `json:"effect"` // candidate ÷ baseline
	Low           *float64 `json:"low"`    // of the 95 % interval
	High          *float64 `json:"high"`
	P             *float64 `json:"p"`
	AdjustedP     *float64 `json:"adjustedP"`
	Verdict       *string  `json:"verdict"`
	Reason        *string  `json:"reason"` // why there is no verdict
}

// homes are the numbers of the two; their paths are equally long.
var homes = []int{101, 102}

// measureAll measures as many runs as are asked for.
func measureAll(ctx context.Context, o options, where evidence.Place, file *evidence.File[concluded]) (err error) {
	jdks := filepath.Join(o.Data, "jdks")
	var slugs []string
	for _, number := range homes {
		home := local.BuildHome(jdks, number)
		if err := local.MakeBuild(ctx, o.jdk, home, number, "--share", "0"); err != nil {
			return err
		}
		build, err := jdk.At(ctx, home)
		if err != nil {
			return err
		}
		slugs = append(slugs, build.Slug)
	}
	o.AgentEnv = []string{"LOOMBOARD_JDKS=" + jdks}
	system, err := local.Up(ctx, o.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, system.Down()) }()
	began := time.Now()
	for range o.runs {
		if time.Since(began) > o.most {
			command.Say("%v are over; the same command goes on", o.most)
			return nil
		}
		c, err := measure(ctx, system, o.matrix, slugs, file)
		if err != nil {
			return err
		}
		c.Place = where
		if err := file.Add(c); err != nil {
			return err
		}
	}
	return nil
}

// measure goes on with the run that the file lacks, or has another one measured.
func measure(ctx context.Context, system *local.System, matrix string, slugs []string, file *evidence.File[concluded]) (c concluded, err error) {
	runs, err := system.Runs(ctx)
	if err != nil {
		return c, err
	}
	var run local.Run
	if at := slices.IndexFunc(runs, func(r local.Run) bool { return !holds(file, r.ID) }); at >= 0 {
		run = runs[at]
	} else if run, err = system.QueueBuilds(ctx, matrix, slugs...); err != nil {
		return c, err
	}
	command.Say("%s: %s/runs/%s", matrix, system.Client.Base, run.ID)
	if run, err = system.Follow(ctx, run.ID, local.Progress(matrix)); err != nil {
		return c, err
	}
	c = concluded{At: time.Now().UTC(), Matrix: matrix, Run: run.ID, State: run.State, Trials: run.Came(), Minutes: time.Since(run.CreatedAt).Minutes()}
	err = system.Client.Call(ctx, http.MethodGet, "/runs/"+run.ID+"/verdicts.json", nil, &c.verdicts)
	c.Families = slices.DeleteFunc(c.Families, func(f family) bool { return f.Axis != "JDK" }) // those between servers compare what differs
	command.Say("%s is %s: %s%s", run.ID, run.State, c.Trials, local.Text(run.Failure))
	return c, err
}

func holds(file *evidence.File[concluded], run string) bool {
	return slices.ContainsFunc(file.All, func(c concluded) bool { return c.Run == run })
}
