package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"
)

// quiet is how long nothing is asked for when all is there: what browsers call idle.
const quiet = 500 * time.Millisecond

// wire counts what a tab transfers.
type wire struct {
	mu       sync.Mutex
	open     map[network.RequestID]bool
	last     time.Time // when something began or ended
	requests int
	bytes    float64
}

func newWire() *wire { return &wire{open: map[network.RequestID]bool{}} }

func (w *wire) hear(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Type == network.ResourceTypeEventSource { // stays open
			return
		}
		w.open[e.RequestID] = true
		w.requests++
	case *network.EventLoadingFinished:
		delete(w.open, e.RequestID)
		w.bytes += e.EncodedDataLength
	case *network.EventLoadingFailed:
		delete(w.open, e.RequestID)
	default:
		return
	}
	w.last = time.Now()
}

func (w *wire) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests, w.bytes, w.last = 0, 0, time.Now()
	clear(w.open)
}

func (w *wire) counted() (requests int, kb float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests, w.bytes / 1000
}

// left is how long it must still be quiet; while something is open, all of it.
func (w *wire) left() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.open) > 0 {
		return quiet
	}
	return quiet - time.Since(w.last)
}

func (w *wire) await(ctx context.Context) error {
	for left := w.left(); left > 0; left = w.left() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("it goes on loading: %w", ctx.Err())
		case <-time.After(left):
		}
	}
	return nil
}
