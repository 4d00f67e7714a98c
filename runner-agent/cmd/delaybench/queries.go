package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"loomboard.dev/agent/internal/timer"
)

// A question and its answer are as long as those of the workload fortunes.
const (
	questionBytes = 64
	answerBytes   = 800
)

// database answers every question at once: what is left is the way there and back.
type database struct{ listener net.Listener }

func newDatabase() (database, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return database{}, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answer(c)
		}
	}()
	return database{l}, nil
}

func answer(c net.Conn) {
	defer c.Close()
	question, rows := make([]byte, questionBytes), make([]byte, answerBytes)
	for {
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		if _, err := c.Write(rows); err != nil {
			return
		}
	}
}

func (d database) address() string { return d.listener.Addr().String() }
func (d database) close()          { d.listener.Close() }

// figures of one round. Times are ms.
type figures struct {
	PerSecond float64 `json:"perSecond"`
	P50       float64 `json:"p50Ms"`
	P99       float64 `json:"p99Ms"`

	asked int64 // in the round and before it
}

const highest = int64(time.Minute)

// ask has every connection ask for a round; what was under way at the start and at
// the end is left out.
func (s setting) ask(ctx context.Context, address string) (figures, error) {
	all := hdrhistogram.New(1, highest, 3)
	var mu sync.Mutex
	var failed error
	var asked atomic.Int64
	var asking sync.WaitGroup
	// The first answers are on their way when the round begins.
	begin := time.Now().Add(200*time.Millisecond + time.Duration(2*s.delay.RoundTrip())*time.Millisecond)
	end := begin.Add(roundTime)
	for i := range s.connections {
		asking.Go(func() {
			own, err := s.connection(ctx, address, i, begin, end, &asked)
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
			if own != nil {
				all.Merge(own)
			}
		})
	}
	asking.Wait()
	if failed != nil || all.TotalCount() == 0 {
		return figures{}, fmt.Errorf("%s: %d answers, %w", s.name, all.TotalCount(), failed)
	}
	const ms = float64(time.Millisecond)
	return figures{
		PerSecond: float64(all.TotalCount()) / roundTime.Seconds(),
		P50:       float64(all.ValueAtQuantile(50)) / ms,
		P99:       float64(all.ValueAtQuantile(99)) / ms,
		asked:     asked.Load(),
	}, nil
}

// connection asks again as soon as it was answered, or by its own share of the rate.
func (s setting) connection(ctx context.Context, address string, i int, begin, end time.Time,
	asked *atomic.Int64) (*hdrhistogram.Histogram, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	alarm, err := timer.New()
	if err != nil {
		return nil, err
	}
	defer alarm.Close()
	question, rows := make([]byte, questionBytes), make([]byte, answerBytes)
	took := hdrhistogram.New(1, highest, 3)
	next := time.Now()
	every := time.Duration(0)
	if s.rate > 0 {
		every = time.Duration(float64(s.connections) / s.rate * float64(time.Second))
		next = next.Add(every * time.Duration(i) / time.Duration(s.connections))
	}
	for next.Before(end) {
		for wait := time.Until(next); wait > 0; wait = time.Until(next) {
			alarm.Sleep(wait)
		}
		asked.Add(1)
		began := time.Now()
		if _, err := c.Write(question); err != nil {
			return nil, err
		}
		if _, err := io.ReadFull(c, rows); err != nil {
			return nil, err
		}
		if now := time.Now(); now.After(begin) && now.Before(end) {
			if err := took.RecordValue(int64(now.Sub(began))); err != nil {
				return nil, err
			}
		}
		if next = next.Add(every); every == 0 {
			next = time.Now()
		}
	}
	return took, nil
}
