// Command pagebench shows what the service's pages cost on a big database (make fill): it starts the
// service on it, asks for leaderboards, comparisons, histories and regressions at a steady rate in all,
// and prints how long the server took, beside static files of the same sizes from the same server. It asks
// twice: for as many addresses as there are in turn, of which hardly any comes again while its page is kept,
// and as visitors do, for some much more often than for others. Then
// it has PostgreSQL explain the queries of each page. It prints a table and JSON, and exits with 1 when a
// page is slower than promised or reads a table whole that grows. It is a benchmark, no test: it needs
// some minutes of an otherwise idle machine.
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
	"path"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/pages"
	"loomboard.dev/agent/internal/service"
)

// The promise.
const (
	goalMs    = 50.0 // p95, server-side
	perSecond = 50   // requests, of all pages together
)

type options struct {
	java, jar, data, out  string
	warm, measure, static time.Duration
	seed                  uint64
	timing, plans         bool
	targets               int
}

// row is one page's figures.
type row struct {
	Page      string       `json:"page"`
	Skipped   string       `json:"skipped,omitempty"`
	Addresses int          `json:"addresses"`        // different ones
	Bytes     int          `json:"bytes"`            // of the median page, and of the static file
	Server    *pages.Times `json:"server,omitempty"` // addresses in turn
	Popular   *pages.Times `json:"popularServer,omitempty"`
	Client    *pages.Times `json:"client,omitempty"`
	Static    *pages.Times `json:"staticServer,omitempty"`
	Plans     []plan       `json:"plans,omitempty"`
	Promised  bool         `json:"promised"`
}

type report struct {
	GoalMs    float64 `json:"goalP95Ms"`
	PerSecond int     `json:"requestsPerSecond"`
	Warmed    float64 `json:"warmUpSeconds"`
	Seconds   float64 `json:"seconds"`
	Pages     []row   `json:"pages"`
}

var errPromise = errors.New("outside the promise")

func main() {
	var o options
	flag.StringVar(&o.java, "java", "java", "the JVM that runs the service")
	flag.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flag.StringVar(&o.data, "data", "", "folder of a filled database, as LOOMBOARD_DATA")
	flag.StringVar(&o.out, "out", "build/bench", "folder for logs and pages.json")
	flag.DurationVar(&o.warm, "warm", 60*time.Second,
		"load before the one that counts: a steady state is what is promised")
	flag.DurationVar(&o.measure, "measure", 60*time.Second, "load that counts")
	flag.DurationVar(&o.static, "static", 20*time.Second, "load on static files")
	flag.Uint64Var(&o.seed, "seed", 1, "of the order of addresses")
	flag.IntVar(&o.targets, "targets", 300, "different addresses of a page, at most")
	flag.BoolVar(&o.timing, "timing", true, "measure times")
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
	if err := command.Absolute(&o.data, &o.jar, &o.out); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	all, rows, err := measured(ctx, o)
	if err != nil {
		return err
	}
	if o.plans {
		found, err := plansOf(ctx, o, all)
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i].Plans = found[rows[i].Page]
		}
	}
	result := report{goalMs, perSecond, o.warm.Seconds(), o.measure.Seconds(), judge(rows, o)}
	print(result)
	if err := write(result, filepath.Join(o.out, "pages.json")); err != nil {
		return err
	}
	for _, r := range result.Pages {
		if !r.Promised && r.Skipped == "" {
			return errPromise
		}
	}
	return nil
}

// measured asks for every address once, then loads them.
func measured(ctx context.Context, o options) (all []pages.Subject, rows []row, err error) {
	files, err := os.MkdirTemp("", "pagebench")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(files)
	s, err := startService(o, "timing", "--spring.web.resources.static-locations=classpath:/static/,file:"+files+"/")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	k, err := pages.Discover(s.Base)
	if err != nil {
		return nil, nil, err
	}
	if all, err = pages.Subjects(ctx, s.Base, k, rand.New(rand.NewPCG(o.seed, 0)), o.targets); err != nil {
		return nil, nil, err
	}
	for _, subject := range all {
		rows = append(rows, row{
			Page:      subject.Name,
			Skipped:   subject.Skipped,
			Addresses: len(subject.Addresses),
			Bytes:     len(subject.Body),
		})
	}
	if !o.timing {
		return all, rows, nil
	}
	return all, rows, load(ctx, o, s, all, rows, files)
}

// startService starts it with an access log: the server's own timing, from the first byte of a request to the last of its answer.
func startService(o options, name string, arguments ...string) (*service.Process, error) {
	return service.Start(service.Options{
		Java: o.java, Jar: o.jar, Data: o.data, Log: filepath.Join(o.out, name+".log"),
		JVM:       []string{"-Dreactor.netty.http.server.accessLogEnabled=true"},
		Arguments: append([]string{"--logging.level.reactor.netty.http.server.AccessLog=info"}, arguments...),
		Settings:  []string{"LOOMBOARD_REQUESTS_PER_ADDRESS=0"}, // the bench is one address
	})
}

func load(ctx context.Context, o options, s *service.Process, all []pages.Subject, rows []row, files string) error {
	var addresses, static []string
	for turn := range o.targets {
		for _, subject := range all {
			if subject.Skipped == "" {
				addresses = append(addresses, subject.Addresses[turn%len(subject.Addresses)])
			}
		}
	}
	for _, subject := range all {
		if subject.Skipped == "" {
			if err := os.WriteFile(filepath.Join(files, path.Base(staticOf(subject))), subject.Body, 0o644); err != nil {
				return err
			}
			static = append(static, staticOf(subject))
		}
	}
	fmt.Printf("%d/s: %s to warm up, then %s in turn, then %s as visited …\n", perSecond, o.warm, o.measure, o.measure)
	if _, err := attack(ctx, s, addresses, perSecond, o.warm); err != nil {
		return err
	}
	measured, err := attack(ctx, s, addresses, perSecond, o.measure)
	if err != nil {
		return err
	}
	popular, err := attack(ctx, s, asVisited(all, rand.New(rand.NewPCG(o.seed, 1)),
		perSecond*int(o.measure.Seconds())), perSecond, o.measure)
	if err != nil {
		return err
	}
	if _, err := attack(ctx, s, static, perSecond, o.static/2); err != nil {
		return err
	}
	ofStatic, err := attack(ctx, s, static, perSecond, o.static)
	if err != nil {
		return err
	}
	for i, subject := range all {
		if subject.Skipped == "" {
			server, client := of(measured.server, subject.Has), of(measured.client, subject.Has)
			file := of(ofStatic.server, func(address string) bool { return address == staticOf(subject) })
			visited := of(popular.server, subject.Has)
			rows[i].Server, rows[i].Popular, rows[i].Client, rows[i].Static = &server, &visited, &client, &file
		}
	}
	return nil
}

func staticOf(s pages.Subject) string { return "/files/bench-" + s.Name + ".html" }

// judge says of each page whether it keeps what is promised of what was looked at.
func judge(rows []row, o options) []row {
	for i, r := range rows {
		kept := r.Skipped == "" && (!o.timing || r.Server.P95 <= goalMs && r.Popular.P95 <= goalMs)
		for _, p := range r.Plans {
			kept = kept && len(p.Whole) == 0
		}
		rows[i].Promised = kept
	}
	return rows
}

func write(result report, file string) error {
	text, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println("JSON:", file)
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
