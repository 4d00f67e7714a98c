package draft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/workload"
)

const lookEvery = 100 * time.Millisecond

// healthPaths answer 200 when an application is ready, where it has one of them.
var healthPaths = []string{"/actuator/health", "/q/health/ready", "/health/ready", "/health", "/ready"}

// noPath is one that no application has.
const noPath = "/no-such-path-says-loomboard-agent"

// portVariable is the variable that gives many applications their port.
const portVariable = "PORT"

// learn starts the application, or looks at the one that runs, and finds out its port, how it shows that it is ready, and
// what it can be asked.
func (d *draft) learn(ctx context.Context) error {
	if d.spec.Kind == server.KindURL {
		return d.lookAtURL(ctx)
	}
	for _, option := range d.leftOut {
		d.sayf("Left out: %s.", option)
	}
	if d.tellsNoPort() {
		if d.spec.Environment == nil {
			d.spec.Environment = map[string]string{}
		}
		d.spec.Environment[portVariable] = "{port}"
	}
	var failed []error
	for _, build := range d.on() {
		err := d.learnOn(ctx, build)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		failed = append(failed, err)
	}
	if len(failed) == 0 {
		return errors.New("there is no JDK to start it on")
	}
	return errors.Join(failed...)
}

// on are the JDKs it is started on; a program has none.
func (d *draft) on() []jdk.Build {
	if d.spec.HasJVM() {
		return d.Builds
	}
	return []jdk.Build{{}}
}

func (d *draft) tellsNoPort() bool {
	words := slices.AppendSeq(slices.Clone(d.spec.Command), maps.Values(d.spec.Environment))
	return !strings.Contains(strings.Join(words, " "), "{port}")
}

func (d *draft) launch(build jdk.Build, folder string) server.Launch {
	return server.Launch{Build: build, Spec: d.spec, Variant: d.spec.Variants[0], Dir: filepath.Join(d.Work, folder),
		JournalDir: filepath.Join(d.Work, "journal")}
}

func (d *draft) learnOn(ctx context.Context, build jdk.Build) error {
	d.sayf("Starting %s …", strings.TrimSpace(d.spec.Name+" "+onJDK(build)))
	p, end, err := d.start(ctx, d.launch(build, "learn"))
	if err != nil {
		return err
	}
	defer func() { _ = end(ctx) }()
	given, err := portOf(p.BaseURL())
	if err != nil {
		return err
	}
	port, pids, err := d.answering(ctx, p, given)
	if err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(build.Slug, d.spec.Name), err)
	}
	if d.spec.HTTP.TLS {
		d.sayf("It speaks TLS. Its certificate is not checked.")
		d.why["http"] = "by HTTP/1.1 over TLS; HTTP/2 is version: 2"
	}
	if port == given {
		d.sayf("It answers on port %d.", port)
	} else {
		d.sayf("It answers on port %d, though it was told another one. If an argument tells it, add that after --, such as -- --port {port}.", port)
	}
	if line := jvmLine("/", pids, port); line != "" && !d.spec.HasJVM() {
		d.sayf("It runs in a JVM, and as a program it is measured on that one alone. To have it measured on each JDK: loomboard-agent init -- %s", line)
	}
	switch told := d.spec.Environment[portVariable] == "{port}"; {
	case port != given:
		d.spec.Port = port
		if told {
			delete(d.spec.Environment, portVariable)
		}
		d.why["port"] = "it listened here and ignored the given port; if it can be configured, write {port} into the command and leave this out"
	case told:
		d.why["environment"] = "it takes its port from " + portVariable
	}
	d.look(ctx, d.at(port))
	return ctx.Err()
}

func (d *draft) lookAtURL(ctx context.Context) error {
	u, err := url.Parse(d.URL)
	if err != nil {
		return err
	}
	if err := mayBeLoaded(ctx, d.spec.URL); err != nil {
		return err
	}
	d.Path = cmp.Or(d.Path, u.RequestURI())
	d.look(ctx, d.spec.URL)
	if d.proposals[0].status == 0 {
		return fmt.Errorf("%s does not answer: start the application, or mend the address", d.URL)
	}
	return ctx.Err()
}

// look finds out what an application offers. One that has no page of health and nothing at / is ready when it answers what it offers.
func (d *draft) look(ctx context.Context, base string) {
	d.findReadiness(ctx, base)
	d.proposals, d.source = propose(ctx, base, d.Path)
	if p := d.proposals[0]; d.spec.Readiness.Port && p.status == http.StatusOK && !strings.Contains(p.target, "?") {
		d.spec.Readiness = server.Readiness{Method: http.MethodGet, Path: p.target}
	}
}

// mayBeLoaded refuses what no load would be sent to.
func mayBeLoaded(ctx context.Context, address string) error {
	return load.Spec{Target: load.Target{URL: address}, Rate: 1, Duration: time.Second}.WithDefaults().Validate(ctx)
}

func portOf(base string) (int, error) {
	u, err := url.Parse(base)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(u.Port())
}

// at is the address of a port of this machine, spoken to as the application wants it.
func (d *draft) at(port int) string { return d.spec.HTTP.At(fmt.Sprint("127.0.0.1:", port)).URL }

// answers is whether HTTP is answered on a port: without TLS, or by TLS where nothing else is or a bad request is called what has none.
func (d *draft) answers(ctx context.Context, client *http.Client, port int) bool {
	d.spec.HTTP.TLS = false
	plain, _ := get(ctx, client, d.at(port)+"/")
	if plain > 0 && plain != http.StatusBadRequest {
		return true
	}
	d.spec.HTTP.TLS = true
	if status, _ := get(ctx, client, d.at(port)+"/"); status > 0 {
		return true
	}
	d.spec.HTTP.TLS = false
	return plain > 0
}

// answering is the port on which the application answers HTTP: the one it was given, else the lowest; and the processes it consists of.
func (d *draft) answering(ctx context.Context, p *server.Process, given int) (int, []int, error) {
	ctx, cancel := context.WithTimeout(ctx, d.Within)
	defer cancel()
	client := newClient()
	defer client.CloseIdleConnections()
	family := sample.NewFamily("/", p.Pid(), p.Mark())
	row := make([]float64, len(family.Columns()))
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		_ = family.Read(row) // who ended is reported below
		ports := listening("/", family.Pids())
		if slices.Contains(ports, given) {
			ports = []int{given} // another may be for its management
		}
		for _, port := range ports {
			if d.answers(ctx, client, port) {
				return port, family.Pids(), nil
			}
		}
		select {
		case <-p.Done():
			return 0, nil, p.Err()
		case <-ctx.Done():
			return 0, nil, fmt.Errorf("no port on which it answers HTTP was found within %v (it listens on %v): give it longer by --within, or pass {port} in its arguments; %s",
				d.Within, ports, p.LastLines())
		case <-tick.C:
		}
	}
}

// findReadiness looks for a page of health, but where any path is answered by 200: there none says more than the first.
func (d *draft) findReadiness(ctx context.Context, base string) {
	client := newClient()
	defer client.CloseIdleConnections()
	paths := append(slices.Clone(healthPaths), "/")
	if beneath := beneath(d.Path); beneath != "" {
		var here []string
		for _, path := range healthPaths {
			here = append(here, beneath+path)
		}
		paths = slices.Concat(here, []string{d.Path}, paths)
	}
	if status, _ := get(ctx, client, base+noPath); status == http.StatusOK {
		paths = []string{"/"}
	}
	for _, path := range paths {
		if status, _ := get(ctx, client, base+path); status == http.StatusOK {
			d.spec.Readiness = server.Readiness{Method: http.MethodGet, Path: path}
			return
		}
	}
	d.spec.Readiness = server.Readiness{Port: true}
}

// prove starts what was written on each JDK and verifies it. One on which it does not start is a result.
func (d *draft) prove(ctx context.Context) error {
	spec, err := server.LoadOne(d.spec.Dir)
	if err != nil {
		return fmt.Errorf("what was made is not valid; please report this: %w", err)
	}
	var workloads []workload.Spec
	for _, name := range spec.Workloads {
		workloads = append(workloads, spec.Described[name])
	}
	var failed []error
	var tried tries
	for i, build := range d.on() {
		took, err := d.proveOn(ctx, spec, build, workloads, i)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name := cmp.Or(build.Slug, "Verified")
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
			tried.failed = append(tried.failed, build.Feature)
			first, _, _ := strings.Cut(err.Error(), "\n")
			d.result("%s: not, since %s", name, first)
			continue
		}
		tried.worked = append(tried.worked, build.Feature)
		ready := fmt.Sprintf("ready after %.1f s, ", took.Seconds())
		if spec.Kind == server.KindURL {
			ready = ""
		}
		if p := d.proposals[0]; p.status > 299 {
			d.result("%s: %sbut GET %s answers %d", name, ready, p.target, p.status)
			continue
		}
		d.result("%s: %s%d of %d workloads answered rightly", name, ready, len(workloads), len(workloads))
	}
	if p := d.proposals[0]; p.status > 299 {
		d.sayf("Nothing that it answers well was found. Name a path by --path, such as --path /api/items, or the one beneath which it lies; or say in %s what it is asked.",
			workload.FileName)
	}
	if spec.HasJVM() && len(tried.worked) > 0 {
		needed, err := javaOfJars(d.classes)
		if err != nil {
			d.sayf("Which Java its class files need could not be read: %v", err)
		}
		d.spec.Java, d.why["java"] = tried.lowest(needed)
	}
	if len(failed) == len(d.on()) {
		return errors.Join(failed...)
	}
	return nil
}

// tries are feature releases.
type tries struct{ worked, failed []int }

// lowest is the feature release from which on it runs, and how that is known. Those it was tried on may be few, so what its
// class files need counts, unless it was tried on one that could load them and failed there.
func (t tries) lowest(needed int) (java int, why string) {
	java = slices.Min(t.worked)
	failedBelow := slices.ContainsFunc(t.failed, func(failed int) bool { return needed <= failed && failed < java })
	if needed == 0 || needed > java || failedBelow {
		return java, "the lowest feature release on which init saw it work"
	}
	return max(needed, lowestJava), fmt.Sprintf("the lowest feature release it is started on: its class files need Java %d", needed)
}

func (d *draft) proveOn(ctx context.Context, spec server.Spec, build jdk.Build, workloads []workload.Spec, number int) (took time.Duration, err error) {
	l := d.launch(build, fmt.Sprint("prove-", number))
	l.Spec, l.Variant = spec, spec.Variants[0]
	p, end, err := d.start(ctx, l)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, end(ctx)) }()
	if took, err = p.WaitReady(ctx, d.Within); err != nil {
		return 0, err
	}
	if wrong := workload.Verify(ctx, p.Address(), workloads...); len(wrong) > 0 {
		return 0, errors.New(strings.Join(wrong, "; "))
	}
	return took, nil
}

func (d *draft) result(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	d.results = append(d.results, line)
	d.sayf("%s", line)
}

func (d *draft) sayf(format string, args ...any) { fmt.Fprintf(d.Says, format+"\n", args...) }

func onJDK(build jdk.Build) string {
	if build.Slug == "" {
		return ""
	}
	return "on " + build.Slug
}
