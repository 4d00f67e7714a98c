package plan

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/server"
)

// Bounds of a matrix file, the same as the service's: nothing passes that the load core refuses.
const (
	maxRate        = load.MaxRate
	maxSeconds     = 3_600
	maxTrials      = 5_000 // per JDK
	maxWorkers     = load.MaxWorkers
	maxConnections = load.MaxConnections
	maxSeed        = 1_000_000_000
	defaultWorkers = 4_096
	maxTimeout     = load.MaxTimeout / time.Second
	leastRate      = 0.001 // hits/s, which is also what rates are rounded to
	defaultTimeout = 30    // s

	leastCPU       = 0.05 // cores
	mostCPU        = 1024.0
	leastMemoryMiB = 64
	mostMemoryMiB  = 1 << 20
	mostDelayMs    = 10_000 // each way
)

var (
	slug     = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`).MatchString
	protocol = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,40}/[1-9][0-9]{0,3}$`).MatchString
	selector = regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]{0,119}$`).MatchString
)

const aSlug = "lower-case letters, digits and dashes, at most 63"

// Parse reads a matrix and names every problem in it.
func Parse(text []byte) (Matrix, error) {
	var document any
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return Matrix{}, &Problems{List: []api.FieldError{{Field: "(document)",
			Message: "is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}}}
	}
	var problems []api.FieldError
	m := readMatrix(fieldsOf(document, "", &problems))
	if !errors.Is(d.Decode(new(yaml.Node)), io.EOF) {
		problems = append(problems, api.FieldError{
			Field:   "(document)",
			Message: "there is more than one document in the file",
		})
	}
	if len(problems) > 0 {
		return Matrix{}, &Problems{Path: "the text", List: problems}
	}
	return m, nil
}

func readMatrix(f *fields) Matrix {
	before := len(*f.problems)
	f.text("schema", func(s string) bool { return s == Schema }, Schema)
	m := Matrix{
		Name:     f.text("name", slug, aSlug),
		Title:    f.text("title", title, "a text of at most 120 characters"),
		Protocol: f.text("protocol", protocol, "a name and a version such as quick/1"),
		JDKs:     f.texts("jdks", false, selector, "a JDK selector such as 25, 28-ea, latest-ea or all"),
		JDKLimit: f.whole("jdkLimit", 0, 1, 100),
		Collectors: f.texts("collectors", true, func(s string) bool { return slices.Contains(server.Collectors, s) },
			"one of "+strings.Join(server.Collectors, ", ")),
		JVMOptions: f.texts("jvmOptions", true, func(s string) bool {
			return strings.HasPrefix(s, "-") &&
				len(s) <= 200
		},
			"a JVM option that begins with -"),
		MaxWorkers:     f.whole("maxWorkers", defaultWorkers, 1, maxWorkers),
		TimeoutSeconds: defaultTimeout,
	}
	f.list("servers", false, func(v any, at string) {
		m.Servers = append(m.Servers,
			readServers(fieldsOf(v, at, f.problems)))
	})
	f.list("scenarios", false, func(v any, at string) {
		m.Scenarios = append(m.Scenarios,
			readScenario(fieldsOf(v, at, f.problems)))
	})
	f.list("limits", true, func(v any, at string) {
		m.Limits = append(m.Limits,
			readLimits(fieldsOf(v, at, f.problems)))
	})
	f.list("delays", true, func(v any, at string) {
		m.Delays = append(m.Delays,
			readDelay(fieldsOf(v, at, f.problems)))
	})
	t := f.child("trials")
	m.Trials = Trials{t.whole("scored", 1, 1, 100), t.whole("diagnostic", 0, 0, 10), 0}
	if t.has("further") {
		m.Trials.Further = t.whole("further", 1, 1, mostFurther)
		if m.Trials.Scored < leastPilot {
			t.refuse("further", "needs at least %d scored trials a cell, whose spread says who gets further ones", leastPilot)
		}
	}
	t.noOthers()
	m.Phases = readPhases(f.child("phases"))
	if f.has("timeoutSeconds") {
		m.TimeoutSeconds = f.number("timeoutSeconds", 0, float64(maxTimeout))
	}
	f.noOthers()
	if len(*f.problems) == before {
		m.checkWhole(f)
	}
	return m
}

func title(s string) bool { return strings.TrimSpace(s) != "" && len([]rune(s)) <= 120 }

// checkWhole says what can only be said of all fields together.
func (m Matrix) checkWhole(f *fields) {
	document := fields{problems: f.problems}
	if m.Trials.Diagnostic > 0 && m.Phases.Diagnostic == nil {
		f.refuse("phases.diagnostic", "is missing: trials.diagnostic is %d", m.Trials.Diagnostic)
	}
	m.checkBatch(f)
	m.checkClosed(f)
	variants, names := 0, map[string]bool{}
	for _, s := range m.Servers {
		variants += len(s.Variants)
		names[s.Server] = true
	}
	perJDK := variants * len(m.Scenarios) * max(1, len(m.Collectors)) * max(1, len(m.Limits)) * max(1,
		len(m.Delays)) * (m.Trials.Scored + m.Trials.Diagnostic)
	if perJDK > maxTrials {
		document.refuse("(document)", "asks for %d trials per JDK, %d are the most", perJDK, maxTrials)
	}
	if len(names) < len(m.Servers) {
		f.refuse("servers", "must name each server once")
	}
	if repeats(m.Limits) {
		f.refuse("limits", "must name each pair of limits once")
	}
	if repeats(m.Delays) {
		f.refuse("delays", "must name each pair of delays once")
	}
}

func repeats[T comparable](values []T) bool {
	seen := map[T]bool{}
	for _, v := range values {
		if seen[v] {
			return true
		}
		seen[v] = true
	}
	return false
}

func readServers(f *fields) Servers {
	s := Servers{f.text("server", slug, aSlug), f.texts("variants", false, slug, aSlug)}
	if sorted := slices.Sorted(slices.Values(s.Variants)); len(slices.Compact(sorted)) < len(s.Variants) {
		f.refuse("variants", "must name each variant once")
	}
	f.noOthers()
	return s
}

func readLimits(f *fields) api.Limits {
	var l api.Limits
	if f.has("cpu") {
		l.CPU = f.number("cpu", 0, mostCPU)
		if l.CPU != 0 && l.CPU < leastCPU {
			f.refuse("cpu", "must be at least %g, is: %g", leastCPU, l.CPU)
		}
	}
	if f.has("memoryMiB") {
		l.MemoryMiB = f.whole("memoryMiB", 0, leastMemoryMiB, mostMemoryMiB)
	}
	f.noOthers()
	return l
}

func readDelay(f *fields) api.DatabaseDelay {
	d := api.DatabaseDelay{
		ToDatabaseMs:   f.whole("toDatabaseMs", 0, 0, mostDelayMs),
		FromDatabaseMs: f.whole("fromDatabaseMs", 0, 0, mostDelayMs),
	}
	f.noOthers()
	return d
}

func readScenario(f *fields) Scenario {
	s := Scenario{f.text("workload", slug, aSlug), f.params("params"), readLoad(f.child("load"))}
	f.noOthers()
	return s
}

func readPhases(f *fields) api.Phases {
	p := api.Phases{
		Warmup:        []api.Warmup{},
		SettleSeconds: f.seconds("settleSeconds", maxSeconds),
		RewarmSeconds: f.seconds("rewarmSeconds", maxSeconds),
	}
	f.list("warmup", true, func(v any, at string) {
		w := fieldsOf(v, at, f.problems)
		segment := api.Warmup{
			Seconds:      w.number("seconds", 0, maxSeconds),
			GCAfter:      w.flag("gcAfter"),
			QuietSeconds: w.seconds("quietSeconds", maxSeconds),
		}
		if w.has("rate") {
			segment.Rate = w.number("rate", 0, maxRate)
			w.checkHits(segment.Rate, segment.Seconds)
		}
		w.noOthers()
		p.Warmup = append(p.Warmup, segment)
	})
	p.Adaptive = readAdaptive(f)
	if f.has("diagnostic") {
		d := f.child("diagnostic")
		p.Diagnostic = &api.DiagnosticPhases{
			WarmupSeconds: d.seconds("warmupSeconds", maxSeconds),
			Seconds:       d.number("seconds", 0, maxSeconds),
		}
		d.noOthers()
	}
	f.noOthers()
	return p
}
