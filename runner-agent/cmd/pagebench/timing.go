package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"loomboard.dev/agent/internal/pages"
	"loomboard.dev/agent/internal/service"
)

// attackResult is what came of a load: times by address, from outside and by the server's own log.
type attackResult struct {
	client, server []timedRequest
	failed         []string // addresses
	failure        string   // what happened to one of them
}

type timedRequest struct {
	address string
	ms      float64
}

func of(all []timedRequest, match func(address string) bool) pages.Times {
	var ms []float64
	for _, t := range all {
		if match(t.address) {
			ms = append(ms, t.ms)
		}
	}
	return pages.TimesOf(ms)
}

// attack asks for the addresses in turn at a steady rate, whatever is still unanswered. What is not answered with the page has
// failed: it has no time of the server.
func attack(ctx context.Context, s *service.Process, addresses []string, rate int,
	duration time.Duration) (result attackResult, err error) {
	before := len(s.Said())
	targets := make([]vegeta.Target, len(addresses))
	for i, address := range addresses {
		targets[i] = vegeta.Target{Method: "GET", URL: s.Base + address}
	}
	attacker := vegeta.NewAttacker(vegeta.Timeout(30*time.Second), vegeta.Redirects(vegeta.NoFollow))
	defer context.AfterFunc(ctx, func() { attacker.Stop() })()
	for r := range attacker.Attack(vegeta.NewStaticTargeter(targets...), vegeta.Rate{
		Freq: rate,
		Per:  time.Second,
	}, duration, "pages") {
		if r.Code != 200 {
			result.failed = append(result.failed, strings.TrimPrefix(r.URL, s.Base))
			result.failure = fmt.Sprintf("%s: %d %s", r.URL, r.Code, r.Error)
		}
		result.client = append(result.client, timedRequest{strings.TrimPrefix(r.URL, s.Base), float64(r.Latency) / 1e6})
	}
	if ctx.Err() != nil {
		return result, ctx.Err()
	}
	result.server, err = awaitLog(s, before, len(result.client)-len(result.failed))
	return result, err
}

const logLimit = 10 * time.Second

// awaitLog reads what the server logged of this number of requests: the last lines may come after the answers.
func awaitLog(s *service.Process, from, requests int) ([]timedRequest, error) {
	var logged []timedRequest
	if !s.Await(logLimit, func(said string) bool {
		logged = accessLog(said[from:])
		return len(logged) >= requests
	}) {
		return nil, fmt.Errorf("%d requests were answered, the access log in %s has %d", requests, s.Log, len(logged))
	}
	return logged, nil
}

// access is a line of Reactor Netty: method, address, status, bytes, whole ms.
var access = regexp.MustCompile(`"GET (\S+) HTTP/[\d.]+" 200 \S+ (\d+)`)

func accessLog(text string) []timedRequest {
	var all []timedRequest
	for _, found := range access.FindAllStringSubmatch(text, -1) {
		ms, _ := strconv.ParseFloat(found[2], 64) // digits, as the expression has it
		all = append(all, timedRequest{found[1], ms})
	}
	return all
}
