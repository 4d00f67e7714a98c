package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"loomboard.dev/agent/internal/pages"
)

// visitors ask for pages at a steady rate, whatever is still unanswered.
type visitors struct {
	base  string
	pages []pages.Subject
	rate  int // a second
	from  []*http.Client
	turn  int // the next page's; goes on over phases, so that each asks for other addresses
}

const (
	visitorHosts = 10 // loopback addresses that they come from, as each may ask only so often
	patience     = 30 * time.Second
)

func newVisitors(base string, all []pages.Subject, rate int) *visitors {
	v := &visitors{base: base, pages: all, rate: rate}
	for host := range visitorHosts {
		dial := dialer("127.0.1." + strconv.Itoa(host+1))
		v.from = append(v.from, &http.Client{Timeout: patience, Transport: &http.Transport{DialContext: dial.DialContext,
			MaxIdleConnsPerHost: 100}})
	}
	return v
}

// dialer makes connections that come from a loopback address.
func dialer(host string) *net.Dialer {
	return &net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: net.ParseIP(host)}}
}

// visit asks for the pages in turn, and gives of each how long it took in ms since it was due. An answer that did not come, or
// came late because requests before it held up the sender, counts from then, too.
func (v *visitors) visit(ctx context.Context, duration time.Duration) []pageTimes {
	type visited struct {
		page   int
		ms     float64
		status int
	}
	requests := int(duration.Seconds() * float64(v.rate))
	done := make(chan visited, requests)
	var open sync.WaitGroup
	began := time.Now()
	for i := range requests {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(v.rate))
		if sleepUntil(ctx, due) != nil {
			break
		}
		page := v.turn % len(v.pages)
		addresses := v.pages[page].Addresses
		address := v.base + addresses[v.turn/len(v.pages)%len(addresses)]
		client := v.from[v.turn%len(v.from)]
		v.turn++
		open.Go(func() {
			status := ask(ctx, client, address)
			done <- visited{page, float64(time.Since(due)) / 1e6, status}
		})
	}
	open.Wait()
	close(done)
	times := make([][]float64, len(v.pages))
	found := make([]pageTimes, len(v.pages))
	for one := range done {
		times[one.page] = append(times[one.page], one.ms)
		if one.status != http.StatusOK {
			found[one.page].Refused = found[one.page].Refused.plus(one.status)
		}
	}
	for i, page := range v.pages {
		found[i].Page, found[i].Times = page.Name, pages.TimesOf(times[i])
	}
	return found
}

// ask gives the answer's status, once the answer is whole; 0: there was none.
func ask(ctx context.Context, client *http.Client, address string) int {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0
	}
	return answer.StatusCode
}

func sleepUntil(ctx context.Context, due time.Time) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
