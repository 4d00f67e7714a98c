package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/pages"
)

// small are the tables that a scan may read whole: they do not grow with what is measured, but with
// people, machines and the builds of JDKs. Any other table that a page reads whole is a fault.
var small = []string{"workspace", "workspace_member", "account", "session", "api_token", "machine", "machine_jdk",
	"jdk_build", "matrix", "schedule"}

// fewRows is below what a scan of a table that is still nearly empty says anything: no plan would be another.
const fewRows = 100

// plan is what PostgreSQL did for one query of a page.
type plan struct {
	Query   string   `json:"query"`
	Ms      float64  `json:"ms"`
	Buffers int      `json:"buffers"` // pages of 8 KiB
	Whole   []string `json:"readWhole"`
	text    string
}

// explainAll has PostgreSQL log the plan of each statement, with what it took.
const explainAll = `
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_buffers = on
`

// plansOf starts the service once more, on a database that explains itself, and gives the plans of each
// page's queries, asked for at a few of its addresses. The setting is taken back.
func plansOf(ctx context.Context, o options, all []pages.Subject) (found map[string][]plan, err error) {
	settings := filepath.Join(o.data, "data", "postgresql.auto.conf") // what alter system writes
	before, err := os.ReadFile(settings)
	if err != nil {
		return nil, fmt.Errorf("plans need the embedded PostgreSQL's folder: %w", err)
	}
	if err := os.WriteFile(settings, append(slices.Clone(before), explainAll...), 0o600); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(settings, before, 0o600)) }()
	s, err := startService(o, "plans")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	for _, subject := range all { // what a first answer asks besides, and what follows a start
		if subject.Skipped == "" {
			if _, _, err := pages.Get(s.Base + subject.Addresses[0]); err != nil {
				return nil, err
			}
		}
	}
	found = map[string][]plan{}
	log := filepath.Join(o.data, "postgres.log")
	for _, subject := range all {
		if subject.Skipped != "" {
			continue
		}
		for _, address := range subject.Addresses[:min(len(subject.Addresses), addressesExplained)] {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			from, err := size(log)
			if err != nil {
				return nil, err
			}
			if _, _, err := pages.Get(s.Base + address); err != nil {
				return nil, err
			}
			said, err := os.ReadFile(log) // written before the answer is sent
			if err != nil {
				return nil, err
			}
			found[subject.Name] = worst(found[subject.Name], plans(string(said[from:])))
		}
	}
	return found, nil
}

const addressesExplained = 6 // of a page

func size(file string) (int64, error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

var (
	planned    = regexp.MustCompile(`duration: ([\d.]+) ms  plan:`)
	whole      = regexp.MustCompile(`Seq Scan on (\w+).*?\(actual (?:time=\S+ )?rows=([\d.]+) loops=(\d+)\)((?:\n +[A-Z][^\n]*)*)`)
	removed    = regexp.MustCompile(`Rows Removed by Filter: (\d+)`)
	buffered   = regexp.MustCompile(`Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?`)
	parameters = regexp.MustCompile(`(?m)^Query Parameters: `)
	nodes      = regexp.MustCompile(`(?m)^(?:Limit|Sort|Unique|Aggregate|Append|Result|ProjectSet|WindowAgg|LockRows|Incremental|Group|Hash|Merge|Nested|Gather|Index|Seq|Bitmap|Subquery|CTE|Function|Memoize|Insert|Update|Delete)`)
)

// plans reads them from the server's log, where the lines of an entry but the first begin with a tab.
func plans(log string) []plan {
	var all []plan
	lines := strings.Split(log, "\n")
	for i := 0; i < len(lines); i++ {
		head := planned.FindStringSubmatch(lines[i])
		if head == nil {
			continue
		}
		var entry []string
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t") {
			i++
			entry = append(entry, strings.TrimPrefix(lines[i], "\t"))
		}
		if p := read(head[1], strings.Join(entry, "\n")); !strings.Contains(p.Query, "qrtz_") { // the scheduler's own, beside any page
			all = append(all, p)
		}
	}
	return all
}

func read(ms, text string) plan {
	p := plan{text: text}
	p.Ms, _ = strconv.ParseFloat(ms, 64) // digits, as the expression has it
	query := strings.TrimPrefix(text, "Query Text: ")
	for _, end := range []*regexp.Regexp{parameters, nodes} {
		if at := end.FindStringIndex(query); at != nil {
			query = query[:at[0]]
		}
	}
	p.Query = strings.Join(strings.Fields(query), " ")
	if b := buffered.FindStringSubmatch(text); b != nil { // the first is the whole plan's
		hit, _ := strconv.Atoi(b[1]) // absent: none
		read, _ := strconv.Atoi(b[2])
		p.Buffers = hit + read
	}
	for _, scan := range whole.FindAllStringSubmatch(text, -1) {
		if rowsOf(scan) >= fewRows && !slices.Contains(small, scan[1]) && !slices.Contains(p.Whole, scan[1]) {
			p.Whole = append(p.Whole, scan[1])
		}
	}
	return p
}

// rowsOf is how many rows a scan went through: those it gave, per loop, and those it left out.
func rowsOf(scan []string) float64 {
	rows, _ := strconv.ParseFloat(scan[2], 64) // digits, as the expression has it
	if left := removed.FindStringSubmatch(scan[4]); left != nil {
		more, _ := strconv.ParseFloat(left[1], 64)
		rows += more
	}
	return rows
}

// worst keeps of each query the plan that read most, one with a whole table before all others.
func worst(known, more []plan) []plan {
	for _, p := range more {
		at := slices.IndexFunc(known, func(k plan) bool { return k.Query == p.Query })
		switch {
		case at < 0:
			known = append(known, p)
		case len(p.Whole) > len(known[at].Whole) ||
			len(p.Whole) == len(known[at].Whole) && p.Buffers > known[at].Buffers:
			known[at] = p
		}
	}
	return known
}
