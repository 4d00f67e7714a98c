package plan

import (
	"cmp"
	"encoding/json"
	"slices"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// Dimension is in what the two cells of a comparison differ, all else being equal.
type Dimension string

// The dimensions in the order in which comparisons are declared. Scenarios and delays of the database are none: another load is
// another question.
const (
	ByJDK       Dimension = "jdk"
	ByServer    Dimension = "server" // and variant
	ByCollector Dimension = "collector"
	ByLimits    Dimension = "limits"
)

// Comparison is of two cells, by their places.
type Comparison struct {
	Dimension Dimension `json:"dimension"`
	Baseline  int       `json:"baseline"`
	Candidate int       `json:"candidate"`
}

// Comparisons are the pairs of cells that a service tests (verdict/TestDimension there), in its order. builds are those of the machine.
func (e Expansion) Comparisons(builds []jdk.Build) []Comparison {
	out := []Comparison{}
	for _, d := range []Dimension{ByJDK, ByServer, ByCollector, ByLimits} {
		for _, group := range e.alikeBut(d) {
			switch d {
			case ByJDK:
				out = append(out, e.eachTwo(group, builds)...)
			case ByServer:
				out = append(out, e.servers(group)...)
			case ByCollector, ByLimits:
				out = append(out, firstAgainstRest(d, group)...)
			}
		}
	}
	return out
}

// alikeBut are the cells that differ in this alone, in the matrix's order.
func (e Expansion) alikeBut(d Dimension) [][]int {
	type point struct {
		question, server, variant, collector, jdk string
		limits                                    api.Limits
	}
	at := map[point]int{}
	var out [][]int
	for i, c := range e.Cells {
		p := point{question(c), c.Server, c.Variant, c.Collector, c.JDK, c.Limits}
		switch d {
		case ByJDK:
			p.jdk = ""
		case ByServer:
			p.server, p.variant = "", ""
		case ByCollector:
			p.collector = ""
		case ByLimits:
			p.limits = api.Limits{}
		}
		place, there := at[p]
		if !there {
			place = len(out)
			at[p], out = place, append(out, nil)
		}
		out[place] = append(out[place], i)
	}
	return out
}

// question is what a cell is asked.
func question(c Cell) string {
	text, _ := json.Marshal([]any{c.Workload, c.WorkloadVersion, c.Params, c.Delay, c.Load}) // plain data has always a text
	return string(text)
}

// eachTwo builds, the older as the baseline.
func (e Expansion) eachTwo(cells []int, builds []jdk.Build) []Comparison {
	build := func(cell int) jdk.Build {
		i := slices.IndexFunc(builds, func(b jdk.Build) bool { return b.Slug == e.Cells[cell].JDK })
		return builds[i] // cells are made of them
	}
	var out []Comparison
	if len(cells) == 1 {
		return out // also that of a server without a JVM
	}
	oldest := slices.SortedStableFunc(slices.Values(cells), func(a, b int) int { return byAge(build(a), build(b)) })
	for i, one := range oldest {
		for _, other := range oldest[i+1:] {
			out = append(out, Comparison{ByJDK, one, other})
		}
	}
	return out
}

// byAge has the order of the service: what a packager calls a build is no age.
func byAge(a, b jdk.Build) int {
	released := map[api.Stage]int{api.General: 1}
	return cmp.Or(slices.Compare(a.Version.Numbers, b.Version.Numbers), cmp.Compare(released[a.Version.Stage()], released[b.Version.Stage()]),
		cmp.Compare(a.Version.Build, b.Version.Build), cmp.Compare(b.Slug, a.Slug))
}

// servers are what the matrix lists first against each other, and each server's first variant against its others.
func (e Expansion) servers(cells []int) []Comparison {
	out := firstAgainstRest(ByServer, cells)
	of := map[string][]int{}
	var names []string
	for _, cell := range cells {
		name := e.Cells[cell].Server
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], cell)
	}
	for _, name := range names[1:] {
		out = append(out, firstAgainstRest(ByServer, of[name])...)
	}
	return out
}

func firstAgainstRest(d Dimension, cells []int) []Comparison {
	var out []Comparison
	for _, other := range cells[1:] {
		out = append(out, Comparison{d, cells[0], other})
	}
	return out
}
