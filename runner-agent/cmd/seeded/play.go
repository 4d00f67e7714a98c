package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/post"
)

const (
	control   = 101 // number of the build that stays
	firstSlow = 151 // of a series' own builds
	poll      = 2 * time.Second
)

// stage is a Loomboard with data of its own, in which nights are played. Which they were is kept beside the data.
type stage struct {
	options
	dir    string
	system *local.System
	post   *post.Post
	played []night // in their order; the last may be under way
}

type night struct {
	Run   string `json:"run"`   // its id
	Build string `json:"build"` // slug
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
	if s.post, err = post.Open(s.told(), loseOne()); err != nil {
		return nil, err
	}
	site := o.Options
	site.Data, site.Settings = dir, s.post.Settings()
	site.AgentEnv = []string{"LOOMBOARD_JDKS=" + o.jdks() + string(filepath.ListSeparator) + s.ownJDKs()}
	if s.system, err = local.Up(ctx, site); err != nil {
		return nil, errors.Join(err, s.post.Close())
	}
	if err := s.reach(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stage) close() error { return errors.Join(s.system.Down(), s.post.Close()) }

func (o options) jdks() string   { return filepath.Join(o.Data, "jdks") }
func (s *stage) ownJDKs() string { return filepath.Join(s.dir, "jdks") }
func (s *stage) kept() string    { return filepath.Join(s.dir, "played.json") }

// makeBuild makes a build of a JDK in dir, unless it is there. Slow are the arguments by which it is slower.
func makeBuild(ctx context.Context, from, dir string, number int, slow ...string) error {
	how := slices.Concat(everyBuild, slow) // of an option that is given twice the last counts
	return local.MakeBuild(ctx, from, local.BuildHome(dir, number), number, how...)
}

// night measures a build beside the control, and waits until the run was screened.
func (s *stage) night(ctx context.Context, home string) error {
	measured, err := jdk.At(ctx, home)
	if err != nil {
		return err
	}
	beside, err := jdk.At(ctx, local.BuildHome(s.jdks(), control))
	if err != nil {
		return err
	}
	run, err := s.system.QueueNight(ctx, s.matrix, measured.Slug, beside.Slug)
	if err != nil {
		return err
	}
	if err := s.keep(append(s.played, night{run.ID, measured.Slug})); err != nil {
		return err
	}
	if run, err = s.settle(ctx); err == nil {
		command.Say("night %d on %s: %s, screened %d, risen %d", len(s.played), measured.Slug, run.Came(), run.Screen.Series, run.Screen.Rises)
	}
	return err
}

// settle waits until the last night was screened, if there was one. One that failed is played again when the command is.
func (s *stage) settle(ctx context.Context) (run local.Run, err error) {
	if len(s.played) == 0 {
		return run, nil
	}
	last := s.played[len(s.played)-1]
	if run, err = s.system.Follow(ctx, last.Run, func(local.Run) {}); err != nil {
		return run, err
	}
	if run.State != "done" {
		return run, errors.Join(fmt.Errorf("a night on %s is %s: %s", last.Build, run.State, local.Text(run.Failure)),
			s.keep(s.played[:len(s.played)-1]))
	}
	for tick := time.NewTicker(poll); run.Screen == nil; {
		if err := s.system.Wait(ctx, tick.C); err != nil {
			return run, err
		}
		if run, err = s.system.Follow(ctx, last.Run, func(local.Run) {}); err != nil {
			return run, err
		}
	}
	return run, nil
}

func (s *stage) keep(played []night) error {
	content, err := json.Marshal(played)
	if err != nil {
		return err
	}
	s.played = played
	return os.WriteFile(s.kept(), content, 0o600)
}

// quietNights plays what there is to play before any series.
func quietNights(ctx context.Context, o options) (err error) {
	dir := filepath.Join(o.Data, "quiet")
	for i := range 1 + o.quiet {
		if err := makeBuild(ctx, o.jdk, o.jdks(), control+i); err != nil {
			return err
		}
	}
	s, err := o.open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if _, err := s.settle(ctx); err != nil {
		return err
	}
	for len(s.played) < o.quiet {
		if err := s.night(ctx, local.BuildHome(o.jdks(), control+1+len(s.played))); err != nil {
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
		if err := makeBuild(ctx, o.jdk, filepath.Join(dir, "jdks"), firstSlow+i, of.Slow...); err != nil {
			return out, err
		}
	}
	s, err := o.open(ctx, dir)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	out = outcome{Series: of.Name, Kind: of.Kind, Effect: of.Effect, Quiet: o.quiet, FalseTests: []string{}}
	if _, err := s.settle(ctx); err != nil {
		return out, err
	}
	c, found, err := s.untilSuspected(ctx)
	if err != nil {
		return out, err
	}
	if found {
		command.Say("suspected: %s, %s against %s; waiting for its rerun …", c.Metric, c.Build, c.GoodBuild)
		if c, err = s.system.Until(ctx, c, local.Change.Answered); err != nil {
			return out, err
		}
	}
	if err := s.fill(ctx, &out, c, found); err != nil {
		return out, err
	}
	return out, s.hear(ctx, &out)
}

// untilSuspected plays nights until the change is suspected in its metric, or there were as many as there may be.
func (s *stage) untilSuspected(ctx context.Context) (local.Change, bool, error) {
	for {
		all, err := s.system.Changes(ctx)
		if err != nil {
			return local.Change{}, false, err
		}
		if at := slices.IndexFunc(all, s.own); at >= 0 {
			return all[at], true, nil
		}
		nights := len(s.played) - s.quiet
		if nights == s.nights {
			return local.Change{}, false, nil
		}
		if err := s.night(ctx, local.BuildHome(s.ownJDKs(), firstSlow+nights)); err != nil {
			return local.Change{}, false, err
		}
	}
}

// own is whether a change is one for the worse that a build of the series brought: what was suspected in the quiet nights is another's.
func (s *stage) own(c local.Change) bool {
	return c.Metric == s.metric && c.Direction == "worse" &&
		slices.ContainsFunc(s.played[s.quiet:], func(n night) bool { return n.Build == c.Build })
}

// rerunBlocks are those of all looks since a change was suspected; no night is played meanwhile.
func rerunBlocks(runs []local.Run, c local.Change) (blocks int) {
	for _, run := range runs {
		if !run.CreatedAt.Before(c.DetectedAt) {
			blocks += run.Done / 2
		}
	}
	return blocks
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
	out.At, out.Nights = time.Now().UTC(), len(s.played)-s.quiet
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
	out.Blocks = rerunBlocks(runs, c)
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
