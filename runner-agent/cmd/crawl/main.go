// Command crawl walks through all pages that a search engine may visit, as one would: from the first page by links, keeping to
// robots.txt. It prints how many clicks away pages are, and exits with 1 when a link is dead, two pages have one title, a page has none,
// a page of the site map cannot be reached, or more clicks than promised are needed. It starts the service on a filled database (make fill).
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/service"
)

// promisedClicks is how far from the first page any other is at most.
const promisedClicks = 3

type options struct {
	java, jar, data, out, base string
	most                       int
}

var errPromise = errors.New("outside the promise")

func main() {
	var o options
	flag.StringVar(&o.java, "java", "java", "the JVM that runs the service")
	flag.StringVar(&o.jar, "jar", "../backend/target/loomboard.jar", "the service")
	flag.StringVar(&o.data, "data", "", "folder of a filled database, as LOOMBOARD_DATA")
	flag.StringVar(&o.out, "out", "build/bench", "folder for the log")
	flag.StringVar(&o.base, "base", "", "address of a service that runs; none is started")
	flag.IntVar(&o.most, "most", 20_000, "pages, at most")
	flag.Parse()
	runtime.LockOSThread() // the service ends with the thread that started it
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "crawl:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	if o.base == "" {
		if o.data == "" {
			return errors.New("-data must name the folder of a filled database, or -base a service that runs")
		}
		if err := command.Absolute(&o.data, &o.jar, &o.out); err != nil {
			return err
		}
		if err := os.MkdirAll(o.out, 0o755); err != nil {
			return err
		}
		s, err := service.Start(service.Options{
			Java: o.java, Jar: o.jar, Data: o.data, Log: filepath.Join(o.out, "crawl.log"),
			Settings: []string{"LOOMBOARD_REQUESTS_PER_ADDRESS=0"}, // a crawler is one address
		})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Stop()) }()
		o.base = s.Base
	}
	found, err := crawl(ctx, o.base, o.most, func(visited, known int) {
		command.Say("%d pages visited, %d known", visited, known)
	})
	if err != nil {
		return err
	}
	if faults := report(os.Stdout, found); faults > 0 {
		return fmt.Errorf("%d faults: %w", faults, errPromise)
	}
	return nil
}

// shownFaults of a kind are printed.
const shownFaults = 20

// report prints what was found and says how many faults there are.
func report(w io.Writer, s *site) (faults int) {
	fmt.Fprintf(w, "%d pages", len(s.pages))
	for clicks, pages := range s.depths() {
		fmt.Fprintf(w, ", %d at %d clicks", pages, clicks)
	}
	fmt.Fprintf(w, "; %d addresses of the site map; %d addresses that a crawler is kept from\n", len(s.siteMap), len(s.kept))
	if left := len(s.known) - len(s.pages) - len(s.broken); left > 0 {
		fmt.Fprintf(w, "%d known addresses were not visited (-most)\n", left)
	}
	kinds := s.kinds()
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return cmp.Or(kinds[b]-kinds[a], cmp.Compare(a, b)) }) {
		if kinds[kind] > 1 {
			fmt.Fprintf(w, "  %s/…: %d\n", kind, kinds[kind])
		}
	}
	for _, kind := range s.faults() {
		faults += len(kind.all)
		fmt.Fprintf(w, "%s: %d\n", kind.what, len(kind.all))
		for _, one := range kind.all[:min(len(kind.all), shownFaults)] {
			fmt.Fprintln(w, "  "+one)
		}
	}
	return faults
}
