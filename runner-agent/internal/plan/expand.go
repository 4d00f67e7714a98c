package plan

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// Cell is one point of an expanded matrix.
type Cell struct {
	Server           string             `json:"server"`
	Variant          string             `json:"variant"`
	ConcurrencyModel string             `json:"concurrencyModel"`
	Workload         string             `json:"workload"`
	WorkloadVersion  int                `json:"workloadVersion"`
	Params           map[string]any     `json:"params"` // the workload's defaults overlaid by the scenario's
	DeclaredDelayMs  float64            `json:"declaredDelayMs"`
	Load             api.Load           `json:"load"`
	Collector        string             `json:"collector,omitempty"` // empty: the server has no JVM
	Limits           api.Limits         `json:"limits,omitzero"`
	Delay            *api.DatabaseDelay `json:"delay,omitempty"` // of the database; nil: no proxy before it
	JDK              string             `json:"jdk,omitempty"`   // slug; empty: the server has no JVM
}

// NoJDK stands in place of a build where a server has no JVM.
const NoJDK = "No JDK"

// Build is what a cell runs on, for people.
func (c Cell) Build() string { return cmp.Or(c.JDK, NoJDK) }

// Trial is one trial before it has an id. Its place in the list is its position.
type Trial struct {
	Cell    int      `json:"cell"` // index
	Kind    api.Kind `json:"kind"`
	Ordinal int      `json:"ordinal"` // from 1, which of its cell and kind
	Company int      `json:"-"`       // trials of one and the same ordinal are a block
	Again   bool     `json:"-"`       // its block is made a second time
}

// Expansion is a matrix laid out on one machine.
type Expansion struct {
	Seed    uint64   `json:"seed"`    // what the order of its trials was drawn from
	Notices []string `json:"notices"` // what was left out and why
	Cells   []Cell   `json:"cells"`
	Trials  []Trial  `json:"trials"`

	companies [][][]int // cells that take turns, in order of their first, by group
}

// ErrNothing says that nothing of a matrix can run here.
var ErrNothing = errors.New("nothing of the matrix can run on this machine")

// Expand lays a matrix out. Cells of one scenario, server, variant, collector and
// limits and delay stand next to each other, one per JDK; of a server without a JVM there is one,
// without a collector and without diagnostic trials. Cells that are compared take turns:
// first their scored trials, then the diagnostic ones. The k-th trials of all of them are a
// block, whose order is drawn from the seed for each block, so that a drift of the host falls on all
// alike. Where there are trials enough for a verdict these are all cells of a scenario; with
// fewer, those that differ in the JDK alone, so that a first comparison appears early.
func Expand(m Matrix, builds []jdk.Build, servers []api.ServerOffer, seed uint64) (Expansion, error) {
	var chosen []jdk.Build
	var notices []string
	if asksJDK(m, servers) {
		var err error
		if chosen, notices, err = jdk.Resolve(builds, m.JDKs, m.JDKLimit); err != nil {
			return Expansion{Seed: seed, Notices: notices}, err
		}
	}
	e := &expander{
		matrix: m,
		builds: chosen,
		out:    Expansion{Seed: seed, Notices: notices, Cells: []Cell{}, Trials: []Trial{}},
		at:     map[string]int{},
	}
	if e.out.Notices == nil {
		e.out.Notices = []string{}
	}
	for i, scenario := range m.Scenarios {
		for _, wanted := range m.Servers {
			e.server(i, scenario, wanted, servers)
		}
	}
	if len(e.out.Cells) == 0 {
		return e.out, fmt.Errorf("%w: %s", ErrNothing, strings.Join(e.out.Notices, "; "))
	}
	diagnostic := func(cell int) int {
		if e.out.Cells[cell].JDK == "" {
			return 0
		}
		return m.Trials.Diagnostic
	}
	for i := range e.out.companies {
		e.out.Trials = append(e.out.Trials, e.out.turns(i, api.Scored, func(int) int { return m.Trials.Scored })...)
		e.out.Trials = append(e.out.Trials, e.out.turns(i, api.Diagnostic, diagnostic)...)
	}
	return e.out, nil
}

// Further are the scored trials after the first ones of each cell, in the order in which an expansion with more would have them: a
// cell that has no more is left out of the later blocks, whose others keep their order. blocks are in all, by cell.
func (e Expansion) Further(first int, blocks map[int]int) []Trial {
	var out []Trial
	for i := range e.companies {
		for _, t := range e.turns(i, api.Scored, func(cell int) int { return blocks[cell] }) {
			if t.Ordinal > first {
				out = append(out, t)
			}
		}
	}
	return out
}

// turns are the trials of one kind of the cells that take turns, each of its blocks in an order of its own; times are how many a cell
// has.
func (e Expansion) turns(company int, kind api.Kind, times func(cell int) int) []Trial {
	groups, most := e.companies[company], 0
	for _, cell := range slices.Concat(groups...) {
		most = max(most, times(cell))
	}
	stream := order(e.Seed + 2*uint64(company))
	if kind == api.Diagnostic {
		stream++
	}
	var out []Trial
	for ordinal := 1; ordinal <= most; ordinal++ {
		for _, cell := range stream.block(groups) {
			if ordinal <= times(cell) {
				out = append(out, Trial{Cell: cell, Kind: kind, Ordinal: ordinal, Company: company})
			}
		}
	}
	return out
}

// asksJDK is whether a matrix needs a JDK: not when all its servers are there and have no JVM.
func asksJDK(m Matrix, servers []api.ServerOffer) bool {
	return slices.ContainsFunc(m.Servers, func(wanted Servers) bool {
		return !slices.ContainsFunc(servers, func(s api.ServerOffer) bool { return s.Name == wanted.Server && !s.HasJVM() })
	})
}

// leastBlocks of paired trials make a verdict, as the service judges.
const leastBlocks = 3

type expander struct {
	matrix Matrix
	builds []jdk.Build
	out    Expansion
	at     map[string]int // place among the companies by name
}

func (e *expander) notice(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.out.Notices, text) {
		e.out.Notices = append(e.out.Notices, text)
	}
}

func (e *expander) server(number int, scenario Scenario, wanted Servers, servers []api.ServerOffer) {
	at := slices.IndexFunc(servers, func(s api.ServerOffer) bool { return s.Name == wanted.Server })
	if at < 0 {
		e.notice("server %s is not on this machine", wanted.Server)
		return
	}
	offer := servers[at]
	if offer.Digest == nil {
		e.notice("server %s is not built or installed on this machine", wanted.Server)
		return
	}
	at = slices.IndexFunc(offer.Workloads, func(w api.WorkloadOffer) bool { return w.Name == scenario.Workload })
	if at < 0 {
		e.notice("server %s has no workload %s", offer.Name, scenario.Workload)
		return
	}
	workload := offer.Workloads[at]
	if workload.Database == api.DatabaseMissing {
		e.notice("workload %s asks a database, and this machine has none", workload.Name)
		return
	}
	if workload.Operations != nil && scenario.Load.Profile == api.Task {
		e.notice("workload %s is a mix of operations, and a batch runs one", workload.Name)
		return
	}
	if !offer.HasJVM() && e.matrix.Phases.Adaptive != nil {
		e.notice("server %s has no JVM, whose warmth ends adaptive phases", offer.Name)
		return
	}
	delays := e.delays(workload)
	able := e.able(offer)
	for _, name := range wanted.Variants {
		at := slices.IndexFunc(offer.Variants, func(v api.VariantOffer) bool { return v.Name == name })
		if at < 0 {
			e.notice("server %s has no variant %s", offer.Name, name)
			continue
		}
		collectors := e.matrix.Collectors
		if len(collectors) == 0 || !offer.HasJVM() {
			collectors = []string{offer.Collector}
		}
		for _, collector := range collectors {
			for _, l := range e.limits() {
				for i, d := range delays {
					company := fmt.Sprintf("scenario %d, delay %d", number, i)
					if e.matrix.Trials.Scored < leastBlocks {
						company = fmt.Sprintf("from cell %d", len(e.out.Cells))
					}
					e.group(company, scenario, offer.Name, offer.Variants[at], workload, collector, l, d, able)
				}
			}
		}
	}
}

// able are the builds that a server runs on; the zero build of one without a JVM.
func (e *expander) able(offer api.ServerOffer) []jdk.Build {
	if !offer.HasJVM() {
		return []jdk.Build{{}}
	}
	var able []jdk.Build
	for _, b := range e.builds {
		if b.Feature < offer.Java {
			e.notice("server %s needs Java %d, %s is older", offer.Name, offer.Java, b.Slug)
			continue
		}
		able = append(able, b)
	}
	return able
}

// limits are those of the matrix, one that limits nothing when it names none.
func (e *expander) limits() []api.Limits {
	if len(e.matrix.Limits) == 0 {
		return []api.Limits{{}}
	}
	return e.matrix.Limits
}

// delays are those of the matrix for a workload that asks a database.
func (e *expander) delays(w api.WorkloadOffer) []*api.DatabaseDelay {
	if len(e.matrix.Delays) > 0 && w.Database == "" {
		e.notice("workload %s asks no database, so nothing is delayed", w.Name)
	}
	if len(e.matrix.Delays) == 0 || w.Database == "" {
		return []*api.DatabaseDelay{nil}
	}
	var out []*api.DatabaseDelay
	for _, d := range e.matrix.Delays {
		out = append(out, &d)
	}
	return out
}

func (e *expander) group(company string, s Scenario, server string, v api.VariantOffer, w api.WorkloadOffer,
	collector string, l api.Limits, d *api.DatabaseDelay, builds []jdk.Build) {
	params := map[string]any{}
	maps.Copy(params, w.Params)
	maps.Copy(params, s.Params)
	declared := 0.0
	if w.DeclaredDelayParam != nil {
		declared = number(params[*w.DeclaredDelayParam])
	}
	if d != nil {
		declared += d.RoundTrip() // one question a request: what the server adds is the rest
	}
	var cells []int
	for _, b := range builds {
		cells = append(cells, len(e.out.Cells))
		e.out.Cells = append(e.out.Cells, Cell{
			Server:           server,
			Variant:          v.Name,
			ConcurrencyModel: v.ConcurrencyModel,
			Workload:         w.Name,
			WorkloadVersion:  w.Version,
			Params:           params,
			DeclaredDelayMs:  declared,
			Load:             s.Load,
			Collector:        collector,
			Limits:           l,
			Delay:            d,
			JDK:              b.Slug,
		})
	}
	if len(cells) > 0 {
		e.join(company, cells)
	}
}

// number is 0 for what is none.
func number(value any) float64 {
	switch n := value.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return 0
}

func (e *expander) join(company string, group []int) {
	at, there := e.at[company]
	if !there {
		at = len(e.out.companies)
		e.at[company], e.out.companies = at, append(e.out.companies, nil)
	}
	e.out.companies[at] = append(e.out.companies[at], group)
}
