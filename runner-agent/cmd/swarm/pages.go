package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pagesPerSecond are asked for, of all pages together.
const pagesPerSecond = 3

// pageKinds are the pages that are asked for, by what their addresses begin with.
var pageKinds = []string{"/leaderboard", "/runs/", "/w/main/machines/"}

// pages asks for some while the fleet works.
type pages struct {
	swarm  *swarm
	client http.Client

	mu     sync.Mutex
	ms     map[string][]float64 // by kind, from outside
	failed map[string]int
	logs   map[string]int64 // where each replica's log ended before
}

func newPages(s *swarm) *pages {
	p := &pages{swarm: s, client: http.Client{Timeout: 30 * time.Second}, ms: map[string][]float64{}, failed: map[string]int{},
		logs: map[string]int64{}}
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
		run, err := p.swarm.site.AnyRun(ctx)
		if err != nil {
			return
		}
		path += run
	case "/w/main/machines/":
		path += p.swarm.fleet[rand.IntN(len(p.swarm.fleet))].Machine
	}
	began := time.Now()
	answer, err := p.client.Get(p.swarm.address() + path)
	status := 0
	if err == nil {
		_, err = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		status = answer.StatusCode
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil || status != http.StatusOK {
		p.failed[fmt.Sprintf("%s %d", kind, status)]++
		return
	}
	p.ms[kind] = append(p.ms[kind], float64(time.Since(began))/1e6)
}

// pageTimes are those of one kind of page.
type pageTimes struct {
	Client times `json:"client"`
	Server times `json:"server"` // by the access log, whole ms
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
		out[kind] = pageTimes{timesOf(p.ms[kind]), timesOf(server[kind])}
	}
	for what, n := range p.failed {
		say("%d pages did not come: %s", n, what)
	}
	return out
}
