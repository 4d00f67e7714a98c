package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Of what a request may ask for: enough for every matrix file, too little to take the machine down by a typing error.
const (
	maxDelayMS = 60_000
	maxSize    = 1_000
	maxCount   = 2_000_000
)

// routes are all workloads but those that ask a database.
func routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /ready", text(func(*query) string { return "ready" }))
	mux.Handle("POST /empty", text(func(*query) string { return "ok" }))
	mux.HandleFunc("POST /json", hello)
	mux.Handle("POST /io", text(func(q *query) string {
		delay := q.delay(100)
		return q.then(func() string {
			time.Sleep(delay)
			return "ok"
		})
	}))
	mux.Handle("POST /compute", text(func(q *query) string {
		seed := q.seed()
		return q.then(func() string { return compute(seed) })
	}))
	mux.Handle("POST /matmul", text(func(q *query) string { return q.multiplyThenSleep(200, 25) }))
	mux.Handle("POST /mixed", text(func(q *query) string { return q.multiplyThenSleep(150, 100) }))
	mux.Handle("POST /thread-start", text(func(q *query) string {
		count := q.within("count", 100_000, 1, maxCount)
		return q.then(func() string { return startOneByOne(int(count)) })
	}))
	return mux
}

// text answers with what a workload gives, or with 400 and what is wrong with the parameters.
func text(workload func(q *query) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := &query{values: r.URL.Query()}
		answer := workload(q)
		if q.err != nil {
			http.Error(w, q.err.Error(), http.StatusBadRequest)
			return
		}
		writeText(w, answer)
	})
}

func writeText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, text)
}

// query reads parameters and keeps the first that is wrong.
type query struct {
	values url.Values
	err    error
}

// then does the work if all parameters were right.
func (q *query) then(work func() string) string {
	if q.err != nil {
		return ""
	}
	return work()
}

func (q *query) multiplyThenSleep(usualSize, usualDelayMS int64) string {
	size := q.within("size", usualSize, 1, maxSize)
	delay := q.delay(usualDelayMS)
	seed := q.seed()
	return q.then(func() string {
		answer := matmul(int(size), seed)
		time.Sleep(delay)
		return answer
	})
}

func (q *query) delay(usualMS int64) time.Duration {
	return time.Duration(q.within("delayMs", usualMS, 0, maxDelayMS)) * time.Millisecond
}

// seed is nil where none is given.
func (q *query) seed() *int64 {
	if !q.values.Has("seed") {
		return nil
	}
	n := q.number("seed")
	return &n
}

func (q *query) within(name string, usual, least, most int64) int64 {
	n := usual
	if q.values.Has(name) {
		n = q.number(name)
	}
	if n < least || n > most {
		q.wrong("%s must be %d to %d, but is %d", name, least, most, n)
	}
	return n
}

func (q *query) number(name string) int64 {
	n, err := strconv.ParseInt(q.values.Get(name), 10, 64)
	if err != nil {
		q.wrong("%s must be a whole number of 64 bits, but is %s", name, q.values.Get(name))
	}
	return n
}

func (q *query) wrong(format string, args ...any) {
	if q.err == nil {
		q.err = fmt.Errorf(format, args...)
	}
}
