package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"time"

	"loomboard.dev/agent/internal/pages"
	"loomboard.dev/agent/internal/service"
)

// way is how addresses follow each other.
type way string

const (
	inTurn    way = "in turn"
	asVisited way = "as visited"
	withNews  way = "with news" // as visited, while something changes now and then
)

// isPromised tells whether the promise is of pages that are asked for so.
func (w way) isPromised() bool { return w != withNews }

// The rates, of all pages together in a second, and what is promised at each.
const (
	usual = 50
	busy  = 200
)

// timing is what a page took at one rate.
type timing struct {
	Rate   int         `json:"requestsPerSecond"`
	Way    way         `json:"way"`
	Failed int         `json:"failed"`
	Server pages.Times `json:"server"`
	Client pages.Times `json:"client"`
}

// cost is the CPU time that a request takes, ms.
type cost struct {
	Rate     int     `json:"requestsPerSecond"`
	Way      way     `json:"way"`
	Service  float64 `json:"serviceMs"`
	Database float64 `json:"databaseMs"`
}

func (t timing) kept() bool {
	if !t.Way.isPromised() {
		return true
	}
	if t.Failed > 0 {
		return false
	}
	if t.Rate == busy {
		return t.Server.P99 <= goalMs
	}
	return t.Server.P95 <= goalMs
}

// isAskedFor tells whether a page belongs to the load: the page of a trial is promised at the lower rate only.
func isAskedFor(s pages.Subject, rate int) bool {
	return s.Skipped == "" && (rate == usual || s.Name != "trial")
}

// load asks at each rate in all ways, after a warm-up at that rate; then for static files.
func load(ctx context.Context, o options, s *service.Process, all []pages.Subject, r *report, files string) error {
	random := rand.New(rand.NewPCG(o.seed, 1))
	changes, err := newNews(ctx, o, s.Base)
	if err != nil {
		return err
	}
	for _, rate := range []int{usual, busy} {
		var asked []pages.Subject
		for _, subject := range all {
			if isAskedFor(subject, rate) {
				asked = append(asked, subject)
			}
		}
		turns := addressesInTurn(asked, o.targets)
		fmt.Printf("%d/s: %s to warm up, then %s in turn, as visited, and so with news …\n", rate, o.warm, o.measure)
		if _, err := attack(ctx, s, turns, rate, o.warm); err != nil {
			return err
		}
		for _, w := range []way{inTurn, asVisited, withNews} {
			addresses := turns
			if w != inTurn {
				addresses = addressesAsVisited(asked, random, rate*int(o.measure.Seconds()))
			}
			before, err := spent(o, s)
			if err != nil {
				return err
			}
			var measured attackResult
			work := func() (err error) {
				measured, err = attack(ctx, s, addresses, rate, o.measure)
				return err
			}
			if w == withNews {
				err = changes.during(ctx, work)
			} else {
				err = work()
			}
			if err != nil {
				return err
			}
			if len(measured.failed) > 0 {
				fmt.Printf("%d of %d requests failed, such as %s\n", len(measured.failed), len(measured.client), measured.failure)
			}
			after, err := spent(o, s)
			if err != nil {
				return err
			}
			n := float64(len(measured.client))
			r.Used = append(r.Used, cost{rate, w, (after.Service - before.Service) / n, (after.Database - before.Database) / n})
			for i, subject := range all {
				if isAskedFor(subject, rate) {
					r.Pages[i].Loads = append(r.Pages[i].Loads, timing{rate, w, count(measured.failed, subject.Has),
						of(measured.server, subject.Has), of(measured.client, subject.Has)})
				}
			}
		}
	}
	return loadStatic(ctx, o, s, all, r.Pages, files)
}

// spent is the CPU time of service and database so far, ms.
func spent(o options, s *service.Process) (cost, error) {
	pids, err := database(o.data)
	if err != nil {
		return cost{}, err
	}
	return cost{Service: ms(used([]int{s.PID()})), Database: ms(used(pids))}, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func count(addresses []string, match func(string) bool) (n int) {
	for _, address := range addresses {
		if match(address) {
			n++
		}
	}
	return n
}

func addressesInTurn(asked []pages.Subject, targets int) (all []string) {
	for turn := range targets {
		for _, subject := range asked {
			all = append(all, subject.Addresses[turn%len(subject.Addresses)])
		}
	}
	return all
}

func loadStatic(ctx context.Context, o options, s *service.Process, all []pages.Subject, rows []row, files string) error {
	var static []string
	for _, subject := range all {
		if subject.Skipped == "" {
			if err := os.WriteFile(filepath.Join(files, path.Base(staticOf(subject))), subject.Body, 0o644); err != nil {
				return err
			}
			static = append(static, staticOf(subject))
		}
	}
	fmt.Printf("%d/s: static files, %s …\n", usual, o.static)
	if _, err := attack(ctx, s, static, usual, o.static/2); err != nil {
		return err
	}
	measured, err := attack(ctx, s, static, usual, o.static)
	if err != nil {
		return err
	}
	for i, subject := range all {
		if subject.Skipped == "" {
			file := of(measured.server, func(address string) bool { return address == staticOf(subject) })
			rows[i].Static = &file
		}
	}
	return nil
}

func staticOf(s pages.Subject) string { return "/files/bench-" + s.Name + ".html" }

// addressesAsVisited are as visitors ask for pages: of each page in turn, the n-th of its addresses 1/n times as often as the first.
func addressesAsVisited(all []pages.Subject, random *rand.Rand, requests int) (addresses []string) {
	for len(addresses) < requests {
		for _, s := range all {
			addresses = append(addresses, s.Addresses[drawZipf(len(s.Addresses), random)])
		}
	}
	return addresses
}

// drawZipf is an index below n; i is drawn in proportion to 1/(i+1).
func drawZipf(n int, random *rand.Rand) int {
	sum := 0.0
	for i := range n {
		sum += 1 / float64(i+1)
	}
	at := random.Float64() * sum
	for i := range n {
		if at -= 1 / float64(i+1); at < 0 {
			return i
		}
	}
	return n - 1
}
