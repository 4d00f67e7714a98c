package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/results"
)

// unit is what one run measures: servers under a scenario of a workload, on all builds.
type unit struct {
	Name     string // such as io-1
	Workload string
	Servers  []string
	Variants int
	Trials   int
	Takes    time.Duration // reckoned
}

// units are a matrix on a machine.
type units struct {
	matrix plan.Matrix
	builds []jdk.Build
	all    []unit
}

// What a trial takes besides its load, on two cores; the warm-up ends by criterion and is rarely shorter.
const (
	startSeconds  = 6  // JVM, readiness, verifying the answer
	warmupSeconds = 32 // of adaptive phases at the rate that is measured
	settleSeconds = 2  // collection and rest
	rewarmSeconds = 11
	stopSeconds   = 3
)

// reckoned is what a trial of a scenario with a constant load takes.
func reckoned(p api.Phases, l api.Load) time.Duration {
	seconds := startSeconds + stopSeconds + l.Seconds
	if a := p.Adaptive; a != nil {
		seconds += min(warmupSeconds, a.CapSeconds) + settleSeconds + rewarmSeconds
	} else {
		for _, w := range p.Warmup {
			seconds += w.Seconds + w.QuietSeconds
		}
		seconds += p.SettleSeconds + p.RewarmSeconds
	}
	return time.Duration(seconds * float64(time.Second))
}

// split makes units of at most that long; of servers that alone take longer, one each. A server's variants and builds stay together: they
// take turns. oldest is the feature release that each server needs.
func split(m plan.Matrix, builds []jdk.Build, oldest map[string]int, most time.Duration) units {
	out := units{matrix: m, builds: builds}
	for _, s := range m.Scenarios {
		each, first := reckoned(m.Phases, s.Load), len(out.all)
		for _, wanted := range m.Servers {
			able := 0
			for _, b := range builds {
				if b.Feature >= oldest[wanted.Server] {
					able++
				}
			}
			trials := len(wanted.Variants) * able * m.Trials.Scored
			takes := time.Duration(trials) * each
			if len(out.all) == first || out.all[len(out.all)-1].Takes+takes > most {
				out.all = append(out.all, unit{Name: fmt.Sprintf("%s-%d", s.Workload, len(out.all)-first+1), Workload: s.Workload})
			}
			u := &out.all[len(out.all)-1]
			u.Servers = append(u.Servers, wanted.Server)
			u.Variants += len(wanted.Variants)
			u.Trials += trials
			u.Takes += takes
		}
	}
	return out
}

func (u unit) file() string { return u.Name + results.Suffix }

func (us units) slugs() (out []string) {
	for _, b := range us.builds {
		out = append(out, b.Slug)
	}
	return out
}

// left is what all units take that are not in the folder.
func (us units) left(had results.Manifest) (sum time.Duration) {
	for _, u := range us.all {
		if !measured(had, u) {
			sum += u.Takes
		}
	}
	return sum
}

// begunHere leaves out what is not whole and was begun by another machine or commit. Not even one unit left is an error.
func (us units) begunHere(had results.Manifest, where evidence.Place) (units, error) {
	var elsewhere []error
	us.all = slices.DeleteFunc(slices.Clone(us.all), func(u unit) bool {
		of := had.Of(u.Workload)
		if measured(had, u) || len(of) == 0 || of[0].Measured == where {
			return false
		}
		err := fmt.Errorf("unit %s is not measured: its workload was begun by commit %s on the host %.8s, here are %s and %.8s, and results of two "+
			"are not mixed. Remove the bundles of %s, or name another folder by -out", u.Name, of[0].Measured.Commit, of[0].Measured.Fingerprint,
			where.Commit, where.Fingerprint, u.Workload)
		command.Say("note: %v", err)
		elsewhere = append(elsewhere, err)
		return true
	})
	if len(elsewhere) > 0 && us.left(had) == 0 {
		return us, errors.Join(elsewhere...)
	}
	return us, nil
}

func measured(had results.Manifest, u unit) bool {
	return slices.ContainsFunc(had.Runs, func(r results.Run) bool { return r.File == u.file() })
}

func (us units) print(out io.Writer, had results.Manifest) {
	fmt.Fprintf(out, "%s (%s) on %s:\n", us.matrix.Title, us.matrix.Protocol, strings.Join(us.slugs(), ", "))
	trials := 0
	for _, u := range us.all {
		trials += u.Trials
		state := "about " + minutes(u.Takes)
		if measured(had, u) {
			state = "measured"
		}
		fmt.Fprintf(out, "  %-12s %2d variants × %d builds × %d trials = %3d, %s: %s\n", u.Name, u.Variants, len(us.builds),
			us.matrix.Trials.Scored, u.Trials, state, strings.Join(u.Servers, " "))
	}
	fmt.Fprintf(out, "%d trials in %d units; what is left takes about %s. Nothing else may run meanwhile.\n", trials, len(us.all),
		minutes(us.left(had)))
}

// minutes rounds up: nobody comes back too early.
func minutes(d time.Duration) string {
	whole := int(math.Ceil(d.Minutes()))
	if whole < 60 {
		return fmt.Sprintf("%d min", whole)
	}
	return fmt.Sprintf("%d h %02d min", whole/60, whole%60)
}
