package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/provide"
)

// problems are all that is not as it must be, each a sentence.
func (f found) problems(least int) []string {
	return slices.Concat(f.firingProblems(least), f.runProblems(), f.refusalProblems(), f.archiveProblems(), f.pointProblems())
}

// firingProblems: each minute one firing, by itself, that made a run or says why not; and nothing was new before the new build appeared, and
// after it was measured.
func (f found) firingProblems(least int) (all []string) {
	say := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	if len(f.firings) < least {
		say("%d firings are fewer than %d", len(f.firings), least)
	}
	var newRun time.Time
	for i, one := range f.firings {
		switch {
		case one.ByHand:
			say("the firing of %s was asked for by hand", clock(one.At))
		case one.Run == nil && local.Text(one.Reason) == "":
			say("the firing of %s made no run and does not say why", clock(one.At))
		case one.Run == nil && local.Text(one.Skip) != nothingNew && local.Text(one.Skip) != "overlap":
			say("the firing of %s was %s", clock(one.At), one.came())
		}
		if i > 0 && one.At.Sub(f.firings[i-1].At) != time.Minute {
			say("after the firing of %s came that of %s, and not the minute's", clock(f.firings[i-1].At), clock(one.At))
		}
		if one.Run != nil && slices.Contains(measured(f.runs[*one.Run]), f.next) {
			newRun = one.At
		}
	}
	if !slices.ContainsFunc(f.firings, func(one firing) bool { return one.At.Before(f.offered) && local.Text(one.Skip) == nothingNew }) {
		say("no firing was skipped because nothing was new before %s appeared", f.next)
	}
	if newRun.IsZero() {
		say("%s was not measured", f.next)
	} else if !nothingNewAfter(f.firings, newRun) {
		say("no firing was skipped because nothing was new after %s was measured", f.next)
	}
	return all
}

// runProblems: one run of the build before, one of the new build beside it, both beside the same control, and each trial ended. Whether it is
// valid is the machine's: where other programs run, it is not, and its point says so.
func (f found) runProblems() (all []string) {
	say := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	if f.control == "" {
		say("the schedule has no control")
	}
	want := [][]string{{f.before, f.control}, {f.next, f.before, f.control}}
	made := 0
	for _, one := range f.firings {
		if one.Run == nil {
			continue
		}
		run := f.runs[*one.Run]
		if run.State != "done" {
			say("%s is %s: %s", run.ID, run.State, local.Text(run.Failure))
		}
		if made < len(want) && !sameNames(measured(run), want[made]) {
			say("%s measured %s, and had to measure %s", run.ID, strings.Join(measured(run), ", "), strings.Join(want[made], ", "))
		}
		for _, t := range run.Trials {
			if t.State != "done" {
				say("%s of %s is %s: %s", t.ID, run.ID, t.State, local.Text(t.Reason))
			}
		}
		made++
	}
	if made != len(want) {
		say("%d firings made a run, and %d had to: one for %s, one for %s", made, len(want), f.before, f.next)
	}
	if f.compared == 0 {
		say("no run compares %s with %s", f.next, f.before)
	}
	return all
}

// refusalProblems: the machine's page said that the new build's archive, while it was damaged, is not that of its checksum.
func (f found) refusalProblems() (all []string) {
	if !strings.Contains(f.refused, f.version) || !strings.Contains(f.refused, "sha256") {
		return []string{fmt.Sprintf("the machine's page does not say that the archive of %s is not that of its checksum: %q", f.version, f.refused)}
	}
	return nil
}

// archiveProblems: each archive was downloaded whole once, and brought with the checksum that the catalogue gives; nothing half is left.
func (f found) archiveProblems() (all []string) {
	say := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	for _, s := range f.served {
		if s.times != 1 {
			say("the archive of %s was downloaded %d times", s.Slug, s.times)
		}
		e, ok := f.entry(s)
		switch {
		case !ok:
			say("%s was not brought", s.Slug)
		case e.Checksum != "sha256:"+s.sha256:
			say("%s was brought with %s, and the catalogue said sha256:%s", s.Slug, e.Checksum, s.sha256)
		case e.Identity != s.Identity:
			say("%s is another build after it was unpacked", s.Slug)
		}
	}
	if len(f.brought) != len(f.served) {
		say("%d builds were brought of %d that were offered", len(f.brought), len(f.served))
	}
	for _, name := range f.leftover {
		say("%s was left in the cache, half made", name)
	}
	return all
}

func (f found) entry(s served) (provide.Entry, bool) {
	i := slices.IndexFunc(f.brought, func(e provide.Entry) bool { return e.Slug == s.Slug })
	if i < 0 {
		return provide.Entry{}, false
	}
	return f.brought[i], true
}

// pointProblems: the history of each metric has exactly one point for each build of each run, and no others.
func (f found) pointProblems() (all []string) {
	has := map[point]int{}
	var metrics []string
	for _, p := range f.points {
		has[p]++
		if !slices.Contains(metrics, p.metric) {
			metrics = append(metrics, p.metric)
		}
	}
	if len(metrics) == 0 {
		return []string{"no history has any point"}
	}
	for _, metric := range metrics {
		for _, one := range f.firings {
			if one.Run == nil {
				continue
			}
			for _, build := range measured(f.runs[*one.Run]) {
				p := point{metric, build, *one.Run}
				if has[p] != 1 {
					all = append(all, fmt.Sprintf("%s of %s has %d points of %s", metric, build, has[p], *one.Run))
				}
				delete(has, p)
			}
		}
	}
	for p := range has {
		all = append(all, fmt.Sprintf("%s of %s has a point of %s, which no firing made", p.metric, p.build, p.run))
	}
	slices.Sort(all)
	return all
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// print shows all of it as tables.
func (f found) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "\nFIRING\tDUE\tCAME TO")
	for i, one := range f.firings {
		more := ""
		if one.Run != nil {
			more = fmt.Sprintf(": trials %s; %s", f.trials(f.runs[*one.Run]), f.pointsOf(*one.Run))
		}
		fmt.Fprintf(w, "%d\t%s\t%s%s\n", i+1, clock(one.At), one.came(), more)
	}
	fmt.Fprintln(w, "\nBUILD\tMiB\tSHA-256 IN THE CATALOGUE\tBROUGHT\tDOWNLOADS")
	for _, s := range f.served {
		brought := "not brought"
		if e, ok := f.entry(s); ok {
			brought = fmt.Sprintf("%s, with %.19s…", clock(e.Fetched), e.Checksum)
		}
		note := ""
		if s.Slug == f.next {
			note = fmt.Sprintf(" (made for this test; offered from %s on)", clock(f.offered))
		}
		fmt.Fprintf(w, "%s%s\t%d\t%.12s…\t%s\t%d\n", s.Slug, note, s.bytes>>20, s.sha256, brought, s.times)
	}
	_ = w.Flush()
	fmt.Fprintf(out, "\n%d tests between %s and %s in one run; the control is %s. Left half made: %d.\n", f.compared, f.before, f.next, f.control, len(f.leftover))
}

// trials counts those of each build.
func (f found) trials(run local.Run) string {
	var all []string
	for _, build := range measured(run) {
		count := 0
		for _, t := range run.Trials {
			if t.JDK == build {
				count++
			}
		}
		role := ""
		if build == f.control {
			role = " (control)"
		}
		all = append(all, fmt.Sprintf("%d on %s%s", count, build, role))
	}
	invalid := 0
	for _, t := range run.Trials {
		if local.Text(t.Validity) == "invalid" {
			invalid++
		}
	}
	if invalid > 0 {
		all = append(all, fmt.Sprintf("of these %d invalid", invalid))
	}
	return strings.Join(all, ", ")
}

// pointsOf says how many a run has, in how many histories.
func (f found) pointsOf(run string) string {
	count := 0
	var histories []string
	for _, p := range f.points {
		if p.run != run {
			continue
		}
		count++
		if name := p.metric + " " + p.build; !slices.Contains(histories, name) {
			histories = append(histories, name)
		}
	}
	return fmt.Sprintf("%d points, in %d histories of a metric and a build", count, len(histories))
}

func clock(at time.Time) string { return at.UTC().Format("15:04:05 UTC") }
