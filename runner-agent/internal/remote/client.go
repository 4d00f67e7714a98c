package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"loomboard.dev/agent/internal/load"
)

// Client sends load from another host.
type Client struct {
	base    string
	serveOn string
	http    *http.Client

	mu     sync.Mutex
	clocks []reading // one per load
}

// NewClient is for the load host at base, such as https://10.0.0.1:7070; serveOn is
// this host's address as that one sees it.
func NewClient(base, serveOn string, secret Secret) (*Client, error) {
	secure, err := secret.tls()
	if err != nil {
		return nil, err
	}
	return &Client{base: strings.TrimRight(base, "/"), serveOn: serveOn,
		http: &http.Client{Transport: &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 2, TLSClientConfig: secure}}}, nil
}

// ServeOn is the address that servers must listen on.
func (c *Client) ServeOn() string { return c.serveOn }

// reading is how far the load host's clock is ahead of ours: offset ± rtt/2.
type reading struct{ offset, rtt time.Duration }

const (
	clockAsks   = 9
	clockWithin = 5 * time.Second
	answerBytes = 1 << 30          // of one load: an hour of windows is a tenth of it
	slack       = 30 * time.Second // over what a load should take
)

// readClock asks several times and believes the quickest answer.
func (c *Client) readClock(ctx context.Context) (reading, error) {
	ctx, cancel := context.WithTimeout(ctx, clockWithin)
	defer cancel()
	var all []reading
	for range clockAsks {
		sent := time.Now()
		res, err := c.do(ctx, http.MethodGet, "/clock", nil)
		if err != nil {
			return reading{}, err
		}
		var there clock
		err = errors.Join(json.NewDecoder(res.Body).Decode(&there), res.Body.Close())
		if err != nil {
			return reading{}, fmt.Errorf("the load host's clock: %w", err)
		}
		rtt := time.Since(sent)
		all = append(all, reading{there.Now.Sub(sent.Round(0).Add(rtt / 2)), rtt})
	}
	return slices.MinFunc(all, func(a, b reading) int { return int(a.rtt - b.rtt) }), nil
}

func (c *Client) do(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	res, err := c.http.Do(req)
	if unknown := (*tls.CertificateVerificationError)(nil); errors.As(err, &unknown) {
		return nil, fmt.Errorf("the load host %s has another secret than this host: both need the same secret file", c.base)
	}
	if err != nil {
		return nil, fmt.Errorf("the load host %s: %w", c.base, err)
	}
	if res.StatusCode != http.StatusOK {
		text, err := io.ReadAll(io.LimitReader(res.Body, 4<<10))
		return nil, errors.Join(fmt.Errorf("the load host %s refuses: %s", c.base, strings.TrimSpace(string(text))),
			err, res.Body.Close())
	}
	return res, nil
}

// Run is as load.Run, from there. Times that come back are by this host's clock.
func (c *Client) Run(ctx context.Context, spec load.Spec, onWindow func(load.Window)) (load.Step, error) {
	parent := ctx
	full := spec.WithDefaults()
	ctx, cancel := context.WithTimeout(parent, clockWithin+full.Head+full.Duration+full.Drain+slack)
	defer cancel()
	asked := time.Now()
	at, err := c.readClock(ctx)
	if err != nil {
		return load.Step{}, err
	}
	c.mu.Lock()
	c.clocks = append(c.clocks, at)
	c.mu.Unlock()
	if !spec.StartAt.IsZero() {
		if spent := time.Since(asked); time.Until(spec.StartAt) < spec.Head {
			return load.Step{}, fmt.Errorf("reading the load host's clock took %v: the link is too slow for the step to begin when it should", spent)
		}
		spec.StartAt = spec.StartAt.Round(0).Add(at.offset)
	}
	body, err := json.Marshal(spec)
	if err != nil {
		return load.Step{}, err
	}
	res, err := c.do(ctx, http.MethodPost, "/load", body)
	if err != nil {
		return load.Step{}, err
	}
	defer res.Body.Close()
	step, err := c.follow(io.LimitReader(res.Body, answerBytes), at.offset, onWindow)
	if parent.Err() != nil {
		return load.Step{}, parent.Err()
	}
	if err == nil && step.Spec.Head != spec.Head {
		return load.Step{}, fmt.Errorf("the load host %s knows no load before a step; install this agent's version there", c.base)
	}
	if err == nil && !sentAs(step, spec) {
		return load.Step{}, fmt.Errorf("the load host %s knows not all of mixes, rows, redirects and what success is; install this agent's version there",
			c.base)
	}
	return step, err
}

// sentAs is whether a load host understood all that decides what is sent and what a success is: an older one leaves out what it
// does not know.
func sentAs(step load.Step, spec load.Spec) bool {
	var operations []load.Operation
	if mix := spec.Target.Mix; mix != nil {
		operations = mix.Operations
	}
	sameOperations := slices.EqualFunc(step.Operations, operations,
		func(did load.OperationRecord, asked load.Operation) bool {
			return did.Name == asked.Name && did.Weight == asked.Weight
		})
	return step.Rows == len(spec.Target.Rows) && sameOperations && step.Spec.Target.Follow == spec.Target.Follow &&
		reflect.DeepEqual(step.Spec.Success, spec.Success)
}

// follow reads windows until the step is there.
func (c *Client) follow(lines io.Reader, offset time.Duration, onWindow func(load.Window)) (load.Step, error) {
	var windows []load.Window
	in := json.NewDecoder(lines)
	for {
		var m message
		if err := in.Decode(&m); err != nil {
			if of := new(json.UnmarshalTypeError); errors.As(err, &of) {
				return load.Step{}, fmt.Errorf("the load host %s has seconds of another version: %w; install this agent's version there", c.base, err)
			}
			return load.Step{}, fmt.Errorf("the load host %s ended without a result: %w", c.base, err)
		}
		switch {
		case m.Error != "":
			return load.Step{}, fmt.Errorf("on the load host: %s", m.Error)
		case m.Window != nil:
			m.Window.StepAt = m.Window.StepAt.Add(-offset)
			if m.Window.Index >= 0 && m.Window.Intended > 0 {
				windows = append(windows, *m.Window)
			}
			if onWindow != nil {
				onWindow(*m.Window)
			}
		case m.Step != nil:
			m.Step.StartedAt = m.Step.StartedAt.Add(-offset)
			slices.SortFunc(windows, func(a, b load.Window) int { return a.Index - b.Index })
			m.Step.Windows = windows
			return *m.Step, nil
		}
	}
}

// Clocks is how the two clocks differed over the loads so far: the largest offset,
// how far it moved, and the worst uncertainty (half the shortest round trip).
func (c *Client) Clocks() map[string]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.clocks) == 0 {
		return nil
	}
	offsets, rtts := []time.Duration{}, []time.Duration{}
	for _, r := range c.clocks {
		offsets, rtts = append(offsets, r.offset), append(rtts, r.rtt)
	}
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	low, high := slices.Min(offsets), slices.Max(offsets)
	worst := high
	if low.Abs() > high.Abs() {
		worst = low
	}
	return map[string]float64{"loadhost.clock_offset_ms": ms(worst), "loadhost.clock_moved_ms": ms(high - low),
		"loadhost.clock_uncertainty_ms": ms(slices.Max(rtts)) / 2, "loadhost.rtt_ms": ms(slices.Min(rtts))}
}
