package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/plan"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/trial"
	"loomboard.dev/agent/internal/verdict"
)

// What a comparison does when nobody says otherwise. Measuring for longer than 20 s makes the median and CPU no surer: launches
// vary by more.
const (
	usualBlocks  = 10
	leastBlocks  = 3
	usualSeconds = 20
	hitTimeout   = 30
)

// warmByCriterion is the warm-up of the matrices that compare builds.
var warmByCriterion = api.Adaptive{LeastSeconds: 20, Hits: 20_000, SegmentSeconds: 20, QuietSeconds: 10, CapSeconds: 120,
	SettleCapSeconds: 15, RewarmCapSeconds: 30}

// fixedPhases are those of a program without a JVM: of what only a JVM shows there is no criterion.
var fixedPhases = api.Phases{Warmup: []api.Warmup{{Seconds: 20}}, SettleSeconds: 1, RewarmSeconds: 5}

// phasesOf a server, by its kind.
func phasesOf(spec server.Spec) api.Phases {
	if spec.HasJVM() {
		return api.Phases{Adaptive: &warmByCriterion}
	}
	return fixedPhases
}

// comparingHere is the whole comparison of a server of one's own, with no service.
type comparingHere struct {
	jdks, variants, workload, database, results string
	rate, seconds                               float64
	blocks                                      int
	seed                                        uint64
	strict                                      bool
	phases                                      *api.Phases // nil: those of the server's kind
}

func (o *comparingHere) define(f *flag.FlagSet) {
	f.StringVar(&o.jdks, "jdk", "", "FOLDER: two JDKs, baseline first, such as 27,28-ea; or one that two variants run on (default latest-ga; kind process has none)")
	f.StringVar(&o.variants, "variant", "", "FOLDER: which one (default the first of its server.yaml), or two to compare, baseline first")
	f.StringVar(&o.workload, "workload", "", "FOLDER: which one (default the first of its server.yaml)")
	f.Float64Var(&o.rate, "rate", usualRate, "FOLDER: requests per second, evenly spaced")
	f.Float64Var(&o.seconds, "seconds", usualSeconds, "FOLDER: of load that is measured in each trial")
	f.IntVar(&o.blocks, "blocks", usualBlocks, "FOLDER: pairs of trials")
	f.Uint64Var(&o.seed, "seed", 0, "FOLDER: what the order of the trials is drawn from (default a new one)")
	f.StringVar(&o.database, "database", "", "FOLDER: "+databaseHelp)
	f.StringVar(&o.results, "results", "", "FOLDER: where trials are kept (default a folder here, named by what is compared)")
}

func (o comparingHere) compare(ctx context.Context, words []string, given map[string]bool) error {
	if err := errors.Join(exactly("compare", words, 1), onlyOf("BASELINE CANDIDATE", given, ofService), o.check()); err != nil {
		return err
	}
	p, err := o.prepare(ctx, words[0])
	if err != nil {
		return noAnswer(err)
	}
	defer os.RemoveAll(p.dir)
	p.announce()
	if err := p.execute(ctx); err != nil {
		return noAnswer(err)
	}
	return p.conclude(o.strict)
}

// noAnswer is an error that is no slowdown; wrong use stays what it is.
func noAnswer(err error) error {
	var mistake usageError
	if errors.As(err, &mistake) {
		return err
	}
	return noAnswerError{err}
}

func (o comparingHere) check() error {
	switch {
	case o.blocks < leastBlocks:
		return wrongUse("compare", fmt.Errorf("--blocks is %d, %d are the least that show a spread", o.blocks, leastBlocks))
	case !(o.rate > 0) || !(o.seconds > 0):
		return wrongUse("compare", fmt.Errorf("--rate and --seconds must be above 0, are %v and %v", o.rate, o.seconds))
	case o.seed >= plan.Seeds:
		return wrongUse("compare", fmt.Errorf("--seed must be below %d", uint64(plan.Seeds)))
	}
	return nil
}

// side is what one of the two is.
type side struct {
	JDK      string `json:"jdk"`      // slug; empty: it has no JVM
	Identity string `json:"identity"` // of the build: another one may come to have the slug
	Variant  string `json:"variant"`
}

// sides are baseline and candidate with their builds. Only one of JDK and variant may differ: else nobody knows which it was.
func (o comparingHere) sides(m trial.Machine, spec server.Spec) ([2]side, [2]jdk.Build, error) {
	var out [2]side
	var builds [2]jdk.Build
	jdks, variants := strings.Split(cmp.Or(o.jdks, "latest-ga"), ","), strings.Split(cmp.Or(o.variants, spec.Variants[0].Name), ",")
	switch {
	case !spec.HasJVM() && (o.jdks != "" || len(variants) != 2):
		return out, builds, wrongUse("compare", fmt.Errorf("server %s has no JVM, so two of its variants are compared: --variant A,B without --jdk; it has: %s",
			spec.Name, strings.Join(spec.VariantNames(), ", ")))
	case len(jdks)+len(variants) != 3:
		return out, builds, wrongUse("compare", fmt.Errorf("two JDKs and one variant are needed, or one JDK and two variants; there are %d and %d",
			len(jdks), len(variants)))
	}
	for i := range out {
		if spec.HasJVM() {
			var err error
			if builds[i], err = buildOf(m, jdks[min(i, len(jdks)-1)]); err != nil {
				return out, builds, err
			}
		}
		variant, err := spec.Variant(variants[min(i, len(variants)-1)])
		if err != nil {
			return out, builds, err
		}
		out[i] = side{builds[i].Slug, builds[i].Identity, variant.Name}
	}
	if out[0] == out[1] {
		return out, builds, wrongUse("compare", fmt.Errorf("both sides are %s: there is nothing to compare",
			strings.Join(slices.DeleteFunc([]string{out[0].Variant, out[0].JDK}, func(word string) bool { return word == "" }), " on ")))
	}
	return out, builds, nil
}

// prepare lays the comparison out, or goes on with one that its folder has.
func (o comparingHere) prepare(ctx context.Context, folder string) (*pairedRun, error) {
	m, spec, err := ownMachine(ctx, folder, o.database)
	if err != nil {
		return nil, err
	}
	if spec.Kind == server.KindURL {
		return nil, fmt.Errorf("server %s is of kind %s: comparisons take servers that the agent starts; `loomboard-agent try` measures it as it runs",
			spec.Name, spec.Kind)
	}
	digest, err := spec.Digest()
	if err != nil {
		return nil, err
	}
	sides, builds, err := o.sides(m, spec)
	if err != nil {
		return nil, err
	}
	workload, err := workloadOf(spec, o.workload)
	if err != nil {
		return nil, err
	}
	if o.results == "" {
		jdks := o.jdks
		if spec.HasJVM() {
			jdks = cmp.Or(jdks, "latest-ga")
		}
		o.results = folderName(spec.Name, jdks, o.variants, o.workload)
	}
	database, err := databaseOf(m, spec, workload)
	if err != nil {
		return nil, err
	}
	phases := phasesOf(spec)
	if o.phases != nil {
		phases = *o.phases
	}
	what := comparisonPlan{
		Schema:          schemaComparison,
		Server:          spec.Name,
		ServerDigest:    digest,
		Workload:        workload,
		WorkloadVersion: spec.Described[workload].Version,
		Sides:           sides,
		Rate:            o.rate,
		Seconds:         o.seconds,
		Blocks:          o.blocks,
		Seed:            o.seed,
		Host:            m.Host.FingerprintHash,
		Agent:           version,
		Database:        database,
		Phases:          phases,
	}
	kept, err := openKept(o.results, what, mathrand.Uint64N(plan.Seeds-1)+1)
	if err != nil {
		return nil, err
	}
	work, err := workDir("loomboard-compare-", m.OtherUser())
	if err != nil {
		return nil, err
	}
	p := newPairedRun(kept, os.Stdout)
	p.lineages = builds[0].Lineage.Hash != builds[1].Lineage.Hash
	p.machine, p.dir = m, work
	p.config = trials(m, server.DefaultAllowList(), work, work)
	p.config.Log, p.config.ReadyWithin = logger(os.Stderr, slog.LevelError), readyWithin(spec)
	p.trialAt = p.measured
	offers, err := m.Offers()
	if err == nil {
		err = p.layOut(m.JDKs.Builds, offers)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(work))
	}
	return p, nil
}

// folderName is of what was asked for.
func folderName(parts ...string) string {
	var out []string
	for _, part := range parts {
		if part != "" {
			out = append(out, strings.Map(func(r rune) rune {
				if r == '/' || r == ',' || r == ' ' {
					return '-'
				}
				return r
			}, part))
		}
	}
	return "compare-" + strings.Join(out, "-")
}

// layOut has the expansion of all matrices draw the order.
func (p *pairedRun) layOut(builds []jdk.Build, offers []api.ServerOffer) error {
	w := p.kept.plan
	variants := []string{w.Sides[0].Variant}
	var jdks []string
	if w.Sides[0].JDK != "" {
		jdks = append(jdks, w.Sides[0].JDK)
	}
	if w.Sides[1].Variant != variants[0] {
		variants = append(variants, w.Sides[1].Variant)
	} else {
		jdks = append(jdks, w.Sides[1].JDK)
	}
	p.matrix = plan.Matrix{
		Title:   w.Server + ", " + w.Workload,
		JDKs:    jdks,
		Servers: []plan.Servers{{Server: w.Server, Variants: variants}},
		Scenarios: []plan.Scenario{{Workload: w.Workload,
			Load: api.Load{Profile: api.Constant, Rate: w.Rate, Seconds: w.Seconds}}},
		Trials:         plan.Trials{Scored: w.Blocks},
		Phases:         w.Phases,
		TimeoutSeconds: hitTimeout,
	}
	layout, err := plan.Expand(p.matrix, builds, offers, w.Seed)
	if err == nil && len(layout.Cells) != len(w.Sides) {
		err = errors.New(strings.Join(layout.Notices, "; "))
	}
	if err != nil {
		return err
	}
	p.take(layout)
	return nil
}

// announce says what is going to happen, how long it takes and what of it cannot be decided.
func (p *pairedRun) announce() {
	w := p.kept.plan
	fmt.Fprintf(p.out, "%s against %s: %s, %s at %v/s\n", p.labels[1], p.labels[0], w.Server, w.Workload, w.Rate)
	if p.lineages {
		fmt.Fprintln(p.out, "Their lineages differ: a difference is one of the distribution, not of the JDK.")
	}
	fmt.Fprintf(p.out, "%d blocks of two trials, %d starts one after the other, in an order drawn from seed %d.\n", w.Blocks, len(p.jobs), w.Seed)
	if a := w.Phases.Adaptive; a == nil {
		fmt.Fprintf(p.out, "A trial: about %.0f s to start, verify and stop; %v s of warm-up; %v s of rest; %v s to warm again; %v s measured.\n",
			trial.Overhead.Seconds(), warmupSeconds(w.Phases), w.Phases.SettleSeconds, w.Phases.RewarmSeconds, w.Seconds)
	} else {
		fmt.Fprintf(p.out, "A trial: about %.0f s to start, verify and stop; %d to %.0f s until it is warm; %.0f s of rest at most; 7 to %.0f s to warm again; %v s measured.\n",
			trial.Overhead.Seconds(), a.LeastSeconds, a.CapSeconds, a.SettleCapSeconds, a.RewarmCapSeconds, w.Seconds)
	}
	if done := len(p.kept.made); done > 0 {
		fmt.Fprintf(p.out, "%d trials are made already.\n", done)
	}
	if from := len(p.kept.made); from < len(p.jobs) {
		fmt.Fprintf(p.out, "At most about %s from now, until %s. Blocks that must be made again come on top. Kept in %s: after Ctrl-C the same command goes on where it was.\n",
			short(p.left(from)), clock(p.left(from)), p.kept.dir)
	}
	p.sayUndecidable(p.out)
}

func warmupSeconds(phases api.Phases) (seconds float64) {
	for _, w := range phases.Warmup {
		seconds += w.Seconds
	}
	return seconds
}

// What a trial needs for a hundred hits to lie beyond a percentile, and to see whether they come in bursts.
const (
	hitsOfP50          = 200
	hitsOfP99          = 10_000
	secondsOfQuantiles = 6
)

func (p *pairedRun) sayUndecidable(w io.Writer) {
	rate, seconds := p.kept.plan.Rate, p.kept.plan.Seconds
	if hits := rate * seconds; hits < hitsOfP50 || seconds < secondsOfQuantiles {
		fmt.Fprintf(w, "Response times will have no verdict: they need %d requests and %d s a trial, there are %.0f in %v s.\n",
			hitsOfP50, secondsOfQuantiles, hits, seconds)
		return
	}
	if rate*seconds >= hitsOfP99 {
		return
	}
	longer := math.Ceil(hitsOfP99 / rate)
	fmt.Fprintf(w, "%s will have no verdict: it needs %d requests a trial, there are %.0f. For one: --seconds %.0f (%.0f min more in all), or a higher --rate.\n",
		titles[verdict.ExcessP99], hitsOfP99, rate*seconds, longer, math.Ceil(float64(len(p.jobs))*(longer-seconds)/60))
}
