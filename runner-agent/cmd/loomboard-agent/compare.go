package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/api"
)

const compareSynopsis = `compare --jdk 27,28-ea FOLDER [--workload NAME] [--variant NAME] [--rate 50] [--blocks 10]
   or: loomboard-agent compare --variant NAME,NAME FOLDER [--jdk 25] …
   or: loomboard-agent compare [--url URL] [--axis AXIS] [--scenario SCENARIO] [--strict] [--json] BASELINE CANDIDATE

A FOLDER: its server is measured on two JDKs, or two of its variants on one, with no service. First it prints
how long that takes. Trials come in blocks of two, one of each side next to each other, in an order drawn from a
seed. Each is kept in a folder of results: after Ctrl-C the same command goes on where it was, and a block that
was interrupted starts again. There is a verdict when all blocks are made, and none before: the blocks are looked
at once, so no error is spent on earlier looks.
` + howHereIsJudged + `

BASELINE CANDIDATE: two JDK builds that the service has results of, by their slugs, with the verdicts that were stored when
their runs ended; with --axis two servers (server/variant), collectors, limits, machine classes or runs, all
else being equal. Machine classes and runs have no verdict. An API token in LOOMBOARD_API_TOKEN shows its workspace's private results too.
Exit code: 0 nothing is slower, 1 something is slower, 2 wrong use, 4 with --strict: nothing is slower,
but something is inconclusive or has no verdict, 5 no answer: nothing could be
measured or asked. With the usual rate and seconds response p99 is never decided, so --strict ends with 4.`

// errUndecided ends a strict comparison that found nothing slower, but not everything decided.
var errUndecided = errors.New("undecided")

// noAnswerError ends a comparison that a pipeline must not take for a slowdown.
type noAnswerError struct{ error }

// slowerError ends a comparison that found something slower.
type slowerError struct{ what []string }

func (e slowerError) Error() string { return "slower: " + strings.Join(e.what, "; ") }

// axes are what can be compared; the first is what is, if nothing is said.
var axes = []string{"jdk", "server", "collector", "limits", "machine", "run"}

// compared is what there is to print of any comparison.
type compared struct {
	title, url   string
	distribution bool
	tests        []api.ComparedCell
}

type comparing struct {
	base, token, axis, scenario string
	strict, json                bool
}

func compare(ctx context.Context, args []string) error {
	var c comparing
	var here comparingHere
	var set *flag.FlagSet
	words, help, err := flagsOf("compare", compareSynopsis, args, func(f *flag.FlagSet) {
		set = f
		here.define(f)
		f.StringVar(&c.base, "url", "", "address of the service (default $LOOMBOARD_URL, else that of this machine's registration)")
		f.StringVar(&c.axis, "axis", axes[0], "what is compared: "+strings.Join(axes, ", "))
		f.StringVar(&c.scenario, "scenario", "", "a scenario's key or the name of a workload (default all); changes no verdict")
		f.BoolVar(&c.strict, "strict", false, "exit with 4 when something is inconclusive or has no verdict")
		f.BoolVar(&c.json, "json", false, "print the service's answer as it is")
	})
	if help || err != nil {
		return err
	}
	given := map[string]bool{}
	set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if given["jdk"] || given["variant"] {
		here.strict = c.strict
		return here.compare(ctx, words, given)
	}
	if err := errors.Join(exactly("compare", words, 2), onlyOf("FOLDER", given, ofFolder)); err != nil {
		return err
	}
	return c.compare(ctx, words[0], words[1])
}

// ofFolder and ofService are the flags of one way to compare alone.
var (
	ofFolder  = []string{"workload", "rate", "seconds", "blocks", "seed", "database", "results"}
	ofService = []string{"url", "axis", "scenario", "json"}
)

// onlyOf refuses flags that belong to another way to compare.
func onlyOf(what string, given map[string]bool, names []string) error {
	for _, name := range names {
		if given[name] {
			return wrongUse("compare", fmt.Errorf("--%s is of a comparison of %s", name, what))
		}
	}
	return nil
}

// compare asks the service.
func (c comparing) compare(ctx context.Context, baseline, candidate string) (err error) {
	if !slices.Contains(axes, c.axis) {
		return usageError{fmt.Errorf("compare: --axis must be one of %s, is %q", strings.Join(axes, ", "), c.axis)}
	}
	// By the environment alone: `ps` shows arguments to everybody on the machine.
	c.token = os.Getenv("LOOMBOARD_API_TOKEN")
	if c.base, err = serviceAddress(c.base); err != nil {
		return err
	}
	return c.run(ctx, baseline, candidate, os.Stdout)
}

func serviceAddress(given string) (string, error) {
	if base := cmp.Or(given, os.Getenv("LOOMBOARD_URL")); base != "" {
		return base, nil
	}
	if _, path, err := home(""); err == nil {
		if c, err := readConfig(path); err == nil {
			return c.URL, nil
		}
	}
	return "", usageError{errors.New("compare: --url is needed, or LOOMBOARD_URL: this machine is not registered with a service")}
}

func (c comparing) run(ctx context.Context, baseline, candidate string, out io.Writer) error {
	client, err := api.NewClient(c.base, c.token)
	if err != nil {
		return usageError{err}
	}
	text, found, err := c.ask(ctx, client, baseline, candidate)
	switch {
	case api.Status(err) == 401:
		return noAnswerError{errors.New("the service does not accept the token in LOOMBOARD_API_TOKEN")}
	case api.Status(err) == 422:
		return usageError{fieldsOf(err)}
	case err != nil:
		return noAnswerError{err}
	}
	if c.json {
		if err := printJSON(out, text); err != nil {
			return err
		}
	} else {
		printComparison(out, c.base, found)
	}
	return c.outcome(found)
}

func (c comparing) ask(ctx context.Context, client *api.Client,
	baseline, candidate string) (json.RawMessage, compared, error) {
	if slices.Contains(axes[1:], c.axis) {
		text, found, err := client.CompareSides(ctx, c.axis, baseline, candidate, c.scenario)
		return text, compared{
			title: candidate + " against " + baseline,
			url:   found.URL,
			tests: found.Tests,
		}, err
	}
	text, found, err := client.Compare(ctx, baseline, candidate, c.scenario)
	title := found.Candidate.Slug + " against " + found.Baseline.Slug
	return text, compared{title, found.URL, found.Distribution, found.Tests}, err
}

// fieldsOf says what the service found wrong with the words that were given.
func fieldsOf(err error) error {
	var refused *api.Problem
	if !errors.As(err, &refused) || len(refused.Errors) == 0 {
		return err
	}
	var wrong []string
	for _, e := range refused.Errors {
		wrong = append(wrong, e.Field+" "+e.Message)
	}
	return errors.New("compare: " + strings.Join(wrong, "\n  "))
}

func (c comparing) outcome(found compared) error {
	var slower []string
	undecided := len(found.tests) == 0
	for _, t := range found.tests {
		switch t.Decided() {
		case api.Slower:
			slower = append(slower, fmt.Sprintf("%s of %s/%s on %s", t.Metric, t.Server, t.Variant, t.Scenario))
		case api.Inconclusive, "":
			undecided = true
		}
	}
	switch {
	case len(slower) > 0:
		return slowerError{slower}
	case c.strict && undecided:
		return errUndecided
	}
	return nil
}

func printJSON(out io.Writer, text json.RawMessage) error {
	_, err := fmt.Fprintf(out, "%s\n", text)
	return err
}

func printComparison(out io.Writer, base string, found compared) {
	fmt.Fprintln(out, found.title)
	if found.distribution {
		fmt.Fprintln(out, "Their lineages differ: a difference is one of the distribution, not of the JDK.")
	}
	if len(found.tests) == 0 {
		fmt.Fprintln(out, "There is no cell that both have.")
		return
	}
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "VERDICT\tCHANGE\t95 % INTERVAL\tADJ. p\tDECIDABLE\tMETRIC\tCELL\tSCENARIO\tNOTE")
	for _, c := range found.tests {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s/%s %s %s\t%s\t%s\n", cmp.Or(c.Decided(), "none"), change(c.Ratio),
			interval(c),
			probability(c.AdjustedP), share(c.Decidable), c.Metric, c.Server, c.Variant, setup(c), c.Machine,
			c.Scenario, note(c))
	}
	_ = t.Flush() // as far as out takes it
	fmt.Fprintf(out, "%s\n%s%s\n", tally(found.tests), strings.TrimSuffix(base, "/"), found.url)
}

// setup is the collector, and the build where that is the same on both sides.
func setup(c api.ComparedCell) string {
	if c.JDK == nil {
		return c.Collector
	}
	return c.Collector + " " + *c.JDK
}

// tally counts verdicts in words.
func tally(tests []api.ComparedCell) string {
	count := map[string]int{}
	for _, t := range tests {
		count[t.Decided()]++
	}
	return fmt.Sprintf("%d slower, %d faster, %d equivalent, %d inconclusive, %d without a verdict of %d cells × metrics",
		count[api.Slower], count[api.Faster], count[api.Equivalent], count[api.Inconclusive], count[""], len(tests))
}

func interval(c api.ComparedCell) string {
	if c.Low == nil || c.High == nil {
		return "-"
	}
	return change(c.Low) + " to " + change(c.High)
}

func note(c api.ComparedCell) string {
	switch {
	case c.Reason != nil:
		return *c.Reason
	case c.Disagreement != nil:
		return "the checks disagree: " + *c.Disagreement
	case c.Decided() == api.Inconclusive && c.FurtherBlocks != nil:
		further := fmt.Sprint(*c.FurtherBlocks)
		switch most := c.FurtherBlocksMost; {
		case most == nil:
			further += " or more"
		case *most > *c.FurtherBlocks:
			further += fmt.Sprintf(" to %d", *most)
		}
		return further + " further trials a side would probably settle it"
	}
	return ""
}

// change says how far a ratio is from 1: per cent, from ten times on as times.
func change(ratio *float64) string {
	switch {
	case ratio == nil:
		return "-"
	case *ratio >= 10:
		return "×" + times(*ratio)
	case *ratio > 0 && *ratio <= 0.1:
		return "÷" + times(1 / *ratio)
	}
	return fmt.Sprintf("%+.1f %%", (*ratio-1)*100)
}

func times(n float64) string {
	if n < 100 {
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}

func share(s *float64) string {
	if s == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", *s*100)
}

func probability(p *float64) string {
	switch {
	case p == nil:
		return "-"
	case *p < 0.0001:
		return "< 0.0001"
	}
	return fmt.Sprintf("%.2g", *p)
}
