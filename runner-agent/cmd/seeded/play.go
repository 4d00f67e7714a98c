package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/local"
)

const (
	control   = 101 // number of the build that stays
	firstSlow = 151 // of a series' own builds
	poll      = 2 * time.Second
)

// stage is a Loomboard with data of its own, in which nights are played. Played is kept beside the data.
type stage struct {
	options
	dir    string
	system *local.System
	played struct {
		Runs []string // of nights, in their order
	}
}

// open starts it; it goes on after the nights that it has played.
func (o options) open(ctx context.Context, dir string) (*stage, error) {
	s := &stage{options: o, dir: dir}
	content, err := os.ReadFile(s.kept())
	if err == nil {
		err = json.Unmarshal(content, &s.played)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	site := o.Options
	site.Data = dir
	site.AgentEnv = []string{"LOOMBOARD_JDKS=" + o.jdks() + string(filepath.ListSeparator) + s.ownJDKs()}
	if s.system, err = local.Up(ctx, site); errors.Is(err, local.ErrPortTaken) {
		err = fmt.Errorf("%w: stop it, or choose another with -port", err)
	}
	return s, err
}

func (o options) jdks() string            { return filepath.Join(o.Data, "jdks") }
func (s *stage) ownJDKs() string          { return filepath.Join(s.dir, "jdks") }
func (s *stage) kept() string             { return filepath.Join(s.dir, "played.json") }
func build(dir string, number int) string { return filepath.Join(dir, fmt.Sprintf("build-%d", number)) }

// night measures a build beside the control, and waits until the run was screened.
func (s *stage) night(ctx context.Context, home string) (local.Run, error) {
	slug, err := slugOf(ctx, home)
	if err != nil {
		return local.Run{}, err
	}
	beside, err := slugOf(ctx, build(s.jdks(), control))
	if err != nil {
		return local.Run{}, err
	}
	run, err := s.system.QueueNight(ctx, s.matrix, slug, beside)
	if err != nil {
		return run, err
	}
	if run, err = s.system.Follow(ctx, run.ID, func(local.Run) {}); err != nil {
		return run, err
	}
	if run.State != "done" {
		return run, fmt.Errorf("a night on %s is %s: %s", slug, run.State, text(run.Failure))
	}
	for tick := time.NewTicker(poll); run.Screen == nil; {
		if err := s.system.Wait(ctx, tick.C); err != nil {
			return run, err
		}
		if run, err = s.system.Follow(ctx, run.ID, func(local.Run) {}); err != nil {
			return run, err
		}
	}
	s.played.Runs = append(s.played.Runs, run.ID)
	content, err := json.Marshal(s.played)
	if err == nil {
		err = os.WriteFile(s.kept(), content, 0o600)
	}
	fmt.Printf("%s night %d on %s: %s, screened %d, risen %d\n", now(), len(s.played.Runs), slug, came(run), run.Screen.Series, run.Screen.Rises)
	return run, err
}

// quietNights plays what there is to play before any series.
func quietNights(ctx context.Context, o options) (err error) {
	dir := filepath.Join(o.Data, "quiet")
	for i := range 1 + o.quiet {
		if err := makeBuild(ctx, o.jdk, o.jdks(), control+i, nil); err != nil {
			return err
		}
	}
	s, err := o.open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.system.Down()) }()
	for len(s.played.Runs) < o.quiet {
		if _, err := s.night(ctx, build(o.jdks(), control+1+len(s.played.Runs))); err != nil {
			return err
		}
	}
	return nil
}

// play plays a series to its end, on a copy of the quiet nights.
func play(ctx context.Context, o options, of series) (out outcome, err error) {
	dir := filepath.Join(o.Data, of.Name)
	if err := copyOnce(ctx, filepath.Join(o.Data, "quiet"), dir); err != nil {
		return out, err
	}
	for i := range o.nights {
		if err := makeBuild(ctx, o.jdk, filepath.Join(dir, "jdks"), firstSlow+i, of.Slow); err != nil {
			return out, err
		}
	}
	s, err := o.open(ctx, dir)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, s.system.Down()) }()
	out = outcome{Series: of.Name, Kind: of.Kind, Effect: of.Effect, Quiet: o.quiet, FalseTests: []string{}}
	c, found, err := s.untilSuspected(ctx)
	if err != nil {
		return out, err
	}
	if found {
		fmt.Printf("%s suspected: %s, %s against %s; waiting for its rerun …\n", now(), c.Metric, c.Build, c.GoodBuild)
		if c, err = s.untilAnswered(ctx, c); err != nil {
			return out, err
		}
	}
	return out, s.fill(ctx, &out, c, found)
}

// untilSuspected plays nights until the change is suspected in its metric, or there were as many as there may be.
func (s *stage) untilSuspected(ctx context.Context) (local.Change, bool, error) {
	for {
		all, err := s.system.Changes(ctx)
		if err != nil {
			return local.Change{}, false, err
		}
		at := slices.IndexFunc(all, func(c local.Change) bool { return c.Metric == s.metric && c.Direction == "worse" })
		if at >= 0 {
			return all[at], true, nil
		}
		nights := len(s.played.Runs) - s.quiet
		if nights == s.nights {
			return local.Change{}, false, nil
		}
		if _, err := s.night(ctx, build(s.ownJDKs(), firstSlow+nights)); err != nil {
			return local.Change{}, false, err
		}
	}
}

func (s *stage) untilAnswered(ctx context.Context, c local.Change) (local.Change, error) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for !c.Answered() {
		if err := s.system.Wait(ctx, tick.C); err != nil {
			return c, err
		}
		all, err := s.system.Changes(ctx)
		if err != nil {
			return c, err
		}
		at := slices.IndexFunc(all, func(other local.Change) bool { return other.ID == c.ID })
		if at < 0 {
			return c, fmt.Errorf("the service no longer has the change %s", c.ID)
		}
		c = all[at]
	}
	return c, nil
}

// fill says in the outcome what came of it.
func (s *stage) fill(ctx context.Context, out *outcome, c local.Change, found bool) error {
	runs, err := s.system.Runs(ctx)
	if err != nil {
		return err
	}
	all, err := s.system.Changes(ctx)
	if err != nil {
		return err
	}
	out.At, out.Nights = time.Now().UTC(), len(s.played.Runs)-s.quiet
	for _, run := range runs {
		if !slices.Contains(s.played.Runs, run.ID) { // a look at the rerun
			out.Blocks += run.Done / 2
		}
	}
	for _, other := range all {
		if other.Status == "confirmed" && other.ID != c.ID && (out.Effect == 0 || other.Direction == "better") {
			out.FalseTests = append(out.FalseTests, fmt.Sprintf("%s %s on %s", other.Metric, other.Direction, other.Build))
		}
	}
	if !found {
		return nil
	}
	out.Suspected, out.Status, out.Verdict = true, c.Status, c.Verdict
	out.Found, out.Low, out.High = c.Effect, c.Low, c.High
	if c.DecidedAt != nil {
		minutes := c.DecidedAt.Sub(c.DetectedAt).Minutes()
		out.Minutes = &minutes
	}
	return nil
}

// copyOnce copies a folder of data, unless that was done.
func copyOnce(ctx context.Context, from, to string) error {
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	half := to + ".half"
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if said, err := exec.CommandContext(ctx, "cp", "-a", from, half).CombinedOutput(); err != nil {
		return fmt.Errorf("cannot copy %s: %w: %s", from, err, said)
	}
	return os.Rename(half, to)
}

// came counts a run's trials by what became of them.
func came(run local.Run) string {
	counts := map[string]int{}
	for _, t := range run.Trials {
		validity := t.State
		if t.Validity != nil {
			validity = *t.Validity
		}
		counts[validity]++
	}
	var all []string
	for what, n := range counts {
		all = append(all, fmt.Sprintf("%d %s", n, what))
	}
	slices.Sort(all)
	return cmp.Or(strings.Join(all, ", "), "no trials")
}

func ratio(effect, low, high *float64) string {
	if effect == nil || low == nil || high == nil {
		return "no verdict"
	}
	return fmt.Sprintf("%+.1f %% (95 %%: %+.1f to %+.1f %%)", 100**effect-100, 100**low-100, 100**high-100)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func now() string { return time.Now().Format("15:04:05") }
