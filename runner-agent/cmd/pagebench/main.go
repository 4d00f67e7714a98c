// Command pagebench shows what the service's pages cost on a big database (make fill). It starts the service on it, keeps it on one
// core and its database on another where there are two, asks for pages at steady rates, and prints how long the server took, beside static
// files of the same sizes from the same server. It asks in three ways at each rate: for as many addresses as there are in turn, as
// visitors do, for some much more often than for others, and so while something changes now and then. Then a browser opens
// one page of each kind, with nothing kept and then again, at the width of a screen and of a phone: what is transferred, when
// something is seen, and how far it moves afterwards. At last PostgreSQL explains the queries of each page. It prints tables and
// JSON, and exits with 1 when a page is slower or heavier than promised or reads a table whole that grows. It is a benchmark, no
// test: it needs some minutes of an otherwise idle machine.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/cores"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/pages"
	"loomboard.dev/agent/internal/service"
)

// goalMs is the promise of the server's times: of p95 at the lower rate, of p99 at the higher one.
const goalMs = 50.0

type options struct {
	java, jar, api, data, out, browser, pictures string
	token                                        string // of a script that may change something
	warm, measure, static                        time.Duration
	seed                                         uint64
	timing, paint, plans                         bool
	targets                                      int
}

// row is one page's figures.
type row struct {
	Page      string       `json:"page"`
	Skipped   string       `json:"skipped,omitempty"`
	Addresses int          `json:"addresses"` // different ones
	Bytes     int          `json:"bytes"`     // of the median page, and of the static file
	Loads     []timing     `json:"loads,omitempty"`
	Static    *pages.Times `json:"staticServer,omitempty"`
	Plans     []plan       `json:"plans,omitempty"`
	Promised  bool         `json:"promised"`
}

type report struct {
	GoalMs  float64 `json:"goalMs"`
	Cores   string  `json:"cores"` // of the service, its database and what asks
	Warmed  float64 `json:"warmUpSeconds"`
	Seconds float64 `json:"seconds"`
	Used    []cost  `json:"cpuTime,omitempty"`
	Pages   []row   `json:"pages"`
	Looks   []look  `json:"looks,omitempty"`
}

var errPromise = errors.New("outside the promise")

func main() {
	var o options
	flag.StringVar(&o.java, "java", "java", "the JVM that runs the service")
	flag.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flag.StringVar(&o.api, "api", "../backend/api", "folder of the API's descriptions, for an example")
	flag.StringVar(&o.data, "data", "", "folder of a filled database, as LOOMBOARD_DATA")
	flag.StringVar(&o.out, "out", "build/bench", "folder for logs and pages.json")
	flag.StringVar(&o.browser, "browser", "/usr/bin/chromium", "a Chromium")
	flag.StringVar(&o.pictures, "pictures", "", "folder for what is seen first of each page; empty: none")
	flag.DurationVar(&o.warm, "warm", 60*time.Second,
		"load before the one that counts: a steady state is what is promised")
	flag.DurationVar(&o.measure, "measure", 60*time.Second, "load that counts")
	flag.DurationVar(&o.static, "static", 20*time.Second, "load on static files")
	flag.Uint64Var(&o.seed, "seed", 1, "of the order of addresses")
	flag.IntVar(&o.targets, "targets", 300, "different addresses of a page, at most")
	flag.BoolVar(&o.timing, "timing", true, "measure times")
	flag.BoolVar(&o.paint, "paint", true, "have a browser open pages")
	flag.BoolVar(&o.plans, "plans", true, "have queries explained")
	flag.Parse()
	runtime.LockOSThread() // the service ends with the thread that started it
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "pagebench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.data == "" {
		return errors.New("--data must name the folder of a filled database")
	}
	if err := command.Absolute(&o.data, &o.jar, &o.api, &o.out); err != nil {
		return err
	}
	if o.pictures != "" {
		if err := errors.Join(command.Absolute(&o.pictures), os.MkdirAll(o.pictures, 0o755)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	files, err := os.MkdirTemp("", "pagebench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(files)
	o.token = local.NewToken()
	result := report{GoalMs: goalMs, Warmed: o.warm.Seconds(), Seconds: o.measure.Seconds()}
	all, err := measured(ctx, o, files, &result)
	if err != nil {
		return err
	}
	if o.paint {
		if result.Looks, err = looks(ctx, o, files, all); err != nil {
			return err
		}
	}
	if o.plans {
		found, err := plansOf(ctx, o, all)
		if err != nil {
			return err
		}
		for i := range result.Pages {
			result.Pages[i].Plans = found[result.Pages[i].Page]
		}
	}
	judge(&result)
	print(result)
	if err := write(result, filepath.Join(o.out, "pages.json")); err != nil {
		return err
	}
	if !result.kept() {
		return errPromise
	}
	return nil
}

// measured asks for every address once, then loads them.
func measured(ctx context.Context, o options, files string, r *report) (all []pages.Subject, err error) {
	serving, asking, err := apart()
	if err != nil {
		return nil, err
	}
	r.Cores = "all share one core"
	if len(serving) > 0 {
		r.Cores = "the service has one core, its database and what asks have the others"
	}
	release, err := cores.Confine(asking)
	if err != nil {
		return nil, err
	}
	defer release()
	var s *service.Process
	if err := cores.On(serving, func() (err error) {
		s, err = startService(o, "timing", withFiles(files))
		return err
	}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if len(serving) > 0 {
		pids, err := database(o.data)
		if err != nil {
			return nil, err
		}
		if err := keep(pids, asking); err != nil {
			return nil, err
		}
	}
	k, err := pages.Discover(s.Base)
	if err != nil {
		return nil, err
	}
	if all, err = pages.Subjects(ctx, s.Base, k, rand.New(rand.NewPCG(o.seed, 0)), o.targets); err != nil {
		return nil, err
	}
	for _, subject := range all {
		r.Pages = append(r.Pages, row{
			Page:      subject.Name,
			Skipped:   subject.Skipped,
			Addresses: len(subject.Addresses),
			Bytes:     len(subject.Body),
		})
	}
	if !o.timing {
		return all, nil
	}
	return all, load(ctx, o, s, all, r, files)
}

// apart is a CPU for the service, and those that are left; none of either where there is one.
func apart() (serving, asking api.CPUSet, err error) {
	sets, err := cores.Divide("/", cores.Apart)
	if err != nil || len(sets.Server) == 0 {
		return nil, nil, nil // one core, which all share
	}
	return sets.Server[:1], sets.Load, nil
}

// withFiles has the service serve a folder, too.
func withFiles(folder string) string {
	return "--spring.web.resources.static-locations=classpath:/static/,file:" + folder + "/"
}

// startService starts it with an access log: the server's own timing, from the first byte of a request to the last of its answer.
func startService(o options, name string, arguments ...string) (*service.Process, error) {
	return service.Start(service.Options{
		Java: o.java, Jar: o.jar, Data: o.data, Log: filepath.Join(o.out, name+".log"),
		JVM:       []string{"-Dreactor.netty.http.server.accessLogEnabled=true"},
		Arguments: append([]string{"--logging.level.reactor.netty.http.server.AccessLog=info"}, arguments...),
		// The bench is one address.
		Settings: []string{"LOOMBOARD_REQUESTS_PER_ADDRESS=0", "LOOMBOARD_BOOTSTRAP_TOKEN=" + o.token},
	})
}

// judge says of each page whether it keeps what is promised of what was looked at.
func judge(r *report) {
	for i, p := range r.Pages {
		kept := p.Skipped == ""
		for _, t := range p.Loads {
			kept = kept && t.kept()
		}
		for _, q := range p.Plans {
			kept = kept && len(q.Whole) == 0
		}
		r.Pages[i].Promised = kept
	}
	for i, l := range r.Looks {
		r.Looks[i].Promised = l.kept()
	}
}

func (r report) kept() bool {
	return !slices.ContainsFunc(r.Pages, func(p row) bool { return !p.Promised && p.Skipped == "" }) &&
		!slices.ContainsFunc(r.Looks, func(l look) bool { return !l.Promised })
}

func write(result report, file string) error {
	text, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println("JSON:", file)
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
