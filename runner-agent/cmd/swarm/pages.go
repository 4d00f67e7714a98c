package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pagesPerSecond are asked for, of all pages together.
const pagesPerSecond = 3

// pageKinds are the pages that are asked for, by what their addresses begin with.
var pageKinds = []string{"/leaderboard", "/runs/", "/w/main/machines/"}

// cutByKill is what became of pages that were on their way when a replica was killed. Whoever kills it accepts that.
const cutByKill = "cut by the kill"

// pages asks for some while the fleet works.
type pages struct {
	service string // its address
	run     func(context.Context) (string, error)
	machine func() string
	client  http.Client

	mu     sync.Mutex
	killed time.Time                 // when a replica was, if one was
	ms     map[string][]float64      // by kind, from outside; those that timed out with that time
	failed map[string]map[string]int // by kind and why
	logs   map[string]int64          // where each replica's log ended before
}

func newPages(s *swarm) *pages {
	p := &pages{
		service: s.address(),
		run:     s.site.AnyRun,
		machine: func() string { return s.fleet[rand.IntN(len(s.fleet))].Machine },
		client:  http.Client{Timeout: 30 * time.Second},
		ms:      map[string][]float64{},
		failed:  map[string]map[string]int{},
		logs:    map[string]int64{},
	}
	for _, r := range s.site.Replicas {
		if info, err := os.Stat(r.Log()); err == nil {
			p.logs[r.Log()] = info.Size()
		}
	}
	return p
}

func (p *pages) ask(ctx context.Context) {
	every := time.NewTicker(time.Second / pagesPerSecond)
	defer every.Stop()
	var asking sync.WaitGroup
	defer asking.Wait()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			kind := pageKinds[n%len(pageKinds)]
			asking.Go(func() { p.one(ctx, kind) })
		}
	}
}

func (p *pages) one(ctx context.Context, kind string) {
	path := kind
	switch kind {
	case "/runs/":
		run, err := p.run(ctx)
		if err != nil {
			if ctx.Err() == nil {
				p.fail(kind, fmt.Sprintf("not asked for, since the database named no run: %v", err))
			}
			return
		}
		path += run
	case "/w/main/machines/":
		path += p.machine()
	}
	began := time.Now()
	answer, err := p.client.Get(p.service + path)
	status := 0
	if err == nil {
		_, err = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		status = answer.StatusCode
	}
	took := time.Since(began)
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		p.fail(kind, fmt.Sprintf("not whole within %v", p.client.Timeout))
		took = p.client.Timeout
	case (err != nil || status == http.StatusBadGateway) && p.wasKilledSince(began):
		p.fail(kind, cutByKill)
		return
	case err != nil:
		p.fail(kind, "no whole answer")
		return
	case status != http.StatusOK:
		p.fail(kind, fmt.Sprint("status ", status))
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ms[kind] = append(p.ms[kind], float64(took)/1e6)
}

func (p *pages) fail(kind, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed[kind] == nil {
		p.failed[kind] = map[string]int{}
	}
	p.failed[kind][why]++
}

// replicaIsKilled is to be called before it is.
func (p *pages) replicaIsKilled() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = time.Now()
}

func (p *pages) wasKilledSince(began time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return began.Before(p.killed)
}

// pageTimes are those of one kind of page.
type pageTimes struct {
	Client times          `json:"client"` // those that timed out are among them, by that time; others that failed are not
	Server times          `json:"server"` // by the access log, whole ms
	Failed map[string]int `json:"failed,omitempty"`
}

// failures are its failures in words; "": none.
func (t pageTimes) failures() string {
	var all []string
	for _, why := range slices.Sorted(maps.Keys(t.Failed)) {
		all = append(all, fmt.Sprintf("%d %s", t.Failed[why], why))
	}
	return strings.Join(all, ", ")
}

// err is what must not be.
func (t pageTimes) err(kind string) error {
	for why := range t.Failed {
		if why != cutByKill {
			return fmt.Errorf("pages %s failed: %s", kind, t.failures())
		}
	}
	return nil
}

// access is a line of Reactor Netty: method, address, status, bytes, whole ms.
var access = regexp.MustCompile(`"GET (\S+) HTTP/[\d.]+" 200 \S+ (\d+)`)

func (p *pages) times() map[string]pageTimes {
	server := map[string][]float64{}
	for log, from := range p.logs {
		text, err := os.ReadFile(log)
		if err != nil || int64(len(text)) < from {
			continue
		}
		for _, found := range access.FindAllStringSubmatch(string(text[from:]), -1) {
			path, _, _ := strings.Cut(found[1], "?")
			for _, kind := range pageKinds {
				if path == kind || strings.HasSuffix(kind, "/") && strings.HasPrefix(path, kind) {
					ms, _ := strconv.ParseFloat(found[2], 64) // digits, as the expression has it
					server[kind] = append(server[kind], ms)
				}
			}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[string]pageTimes{}
	for _, kind := range pageKinds {
		out[kind] = pageTimes{timesOf(p.ms[kind]), timesOf(server[kind]), p.failed[kind]}
	}
	return out
}
