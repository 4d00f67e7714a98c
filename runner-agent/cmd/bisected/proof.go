package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/local"
)

// proof is one slowdown on its way from the first night to its build.
type proof struct {
	options
	system *local.System
	owner  *local.Owner
	builds []string // slugs, in their order
	done   int      // nights
}

// changes are those of the metric.
func (p *proof) changes(ctx context.Context) ([]local.Change, error) {
	all, err := p.system.Changes(ctx)
	return slices.DeleteFunc(all, func(c local.Change) bool { return c.Metric != p.metric }), err
}

// atSlowdown is the newest change for the worse that lies where the slowdown does.
func (p *proof) atSlowdown(all []local.Change) (local.Change, bool) {
	for _, c := range all {
		good, bad := slices.Index(p.builds, c.GoodBuild), slices.Index(p.builds, c.Build)
		if c.Direction == "worse" && good >= 0 && good < p.firstSlow() && bad >= p.firstSlow() {
			return c, true
		}
	}
	return local.Change{}, false
}

// nights runs one night after the other, from where it was, until the change is suspected.
func (p *proof) nights(ctx context.Context) (local.Change, error) {
	if err := p.recall(); err != nil {
		return local.Change{}, err
	}
	for {
		all, err := p.changes(ctx)
		if err != nil {
			return local.Change{}, err
		}
		if c, found := p.atSlowdown(all); found {
			return c, nil
		}
		if p.done == p.before+p.after {
			return local.Change{}, fmt.Errorf("%d nights after the slowdown nothing was suspected in %s", p.after, p.metric)
		}
		if err := p.night(ctx); err != nil {
			return local.Change{}, err
		}
	}
}

// leastNights are as many on the new level as a control is judged by.
const leastNights = 3

// moreNights runs what a control still needs.
func (p *proof) moreNights(ctx context.Context) error {
	for p.control && p.done < p.before+leastNights {
		if err := p.night(ctx); err != nil {
			return err
		}
	}
	return nil
}

// night runs the next one, on its build and, where there is one, on the control.
func (p *proof) night(ctx context.Context) error {
	at := 1 + p.done
	if p.done >= p.before {
		at += p.between
	}
	build := p.builds[at]
	builds := []string{build}
	if p.control {
		builds = append(builds, p.builds[0])
	}
	run, err := p.system.Queue(ctx, p.matrix, builds...)
	if err != nil {
		return err
	}
	if run, err = p.system.Follow(ctx, run.ID, func(local.Run) {}); err != nil {
		return err
	}
	if !measured(run, build) {
		return fmt.Errorf("night %d on %s measured nothing: %s", p.done+1, build, cmp.Or(local.Text(run.Failure), run.Came()))
	}
	p.done++
	command.Say("night %d on %s: %s", p.done, build, run.Came())
	content, err := json.Marshal(p.done)
	if err != nil {
		return err
	}
	return os.WriteFile(p.kept(), content, 0o600)
}

func (p *proof) kept() string { return filepath.Join(p.Data, "nights.json") }

// recall reads how many nights there were before.
func (p *proof) recall() error {
	content, err := os.ReadFile(p.kept())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(content, &p.done)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.kept(), err)
	}
	return nil
}

// measured says whether any trial of the build came to its end.
func measured(run local.Run, build string) bool {
	return slices.ContainsFunc(run.Trials, func(t local.Trial) bool { return t.JDK == build && t.Validity != nil })
}

// rerun waits until the rerun that the service queued by itself has decided.
func (p *proof) rerun(ctx context.Context, c local.Change) (local.Change, error) {
	command.Say("suspected: %s, %s against %s; waiting for its rerun …", c.Metric, c.Build, c.GoodBuild)
	c, err := p.system.Until(ctx, c, local.Change.Answered)
	if err != nil {
		return c, err
	}
	if c.Status != "confirmed" {
		return c, fmt.Errorf("the change is %s: %s", c.Status, local.Text(c.RerunReason))
	}
	command.Say("confirmed by its rerun: %s, %s, adjusted p %.2g", local.Text(c.Verdict),
		local.Ratio(c.Effect, c.Low, c.High), number(c.AdjustedP))
	return c, nil
}

// bisection has the builds between searched, and waits for the end.
func (p *proof) bisection(ctx context.Context, c local.Change) (local.Change, error) {
	if c.Bisection == nil {
		if err := p.owner.Send(ctx, c.URL, c.URL+"/bisection", url.Values{}); err != nil {
			return c, err
		}
	}
	told := 0
	c, err := p.system.Until(ctx, c, func(c local.Change) bool {
		if c.Bisection == nil {
			return false
		}
		for ; told < len(c.Bisection.Steps) && c.Bisection.Steps[told].State != "queued"; told++ {
			s := c.Bisection.Steps[told]
			command.Say("step %d, %s: %s %s %s", told+1, s.Build, s.State, local.Ratio(s.Effect, s.Low, s.High),
				local.Text(s.Reason))
		}
		return c.Bisection.State != "running"
	})
	if err == nil && c.Bisection.State != "done" {
		err = fmt.Errorf("the bisection is %s: %s", c.Bisection.State, local.Text(c.Bisection.Reason))
	}
	return c, err
}

// verdict prints what was found, and is an error unless it is right.
func (p *proof) verdict(c local.Change) error {
	right := p.builds[p.firstSlow()]
	if c.Control != nil {
		fmt.Printf("\n%s\n", c.Control.Sentence)
	}
	fmt.Printf("\n%s\nRight is %s (%.0f %% more work). Confirmed: %s %s. Credible: %s, after %d steps.\n",
		c.Bisection.Sentence, right, 100*p.share, c.Metric, local.Ratio(c.Effect, c.Low, c.High),
		strings.Join(c.Bisection.Credible, ", "), len(c.Bisection.Steps))
	if !slices.Contains(c.Bisection.Credible, right) {
		return errors.New("the credible set does not hold the right build")
	}
	return nil
}

func number(f *float64) float64 {
	if f == nil {
		return 1
	}
	return *f
}
