package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"time"

	"loomboard.dev/agent/internal/spawn"
	"loomboard.dev/agent/internal/timer"
)

const serveCommand = "serve"

// worker serves a request at a time.
type worker struct {
	alarm *timer.Timer
	free  time.Time // since when
}

// serve answers each request after a worker has waited for it, in the order of their
// arrival. It ends when its input does.
func serve(args []string) error {
	flags := flag.NewFlagSet(serveCommand, flag.ExitOnError)
	workers := flags.Int("workers", 1, "requests at a time")
	delay := flags.Duration("delay", 0, "of each")
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	free := make(chan *worker, *workers)
	for range *workers {
		alarm, err := timer.New()
		if err != nil {
			return err
		}
		free <- &worker{alarm: alarm}
	}
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived := time.Now()
		mine := <-free
		// Time begins when both are there, not when this goroutine hears of it: a late timer
		// delays one answer, and takes nothing from what the workers can do.
		due := later(arrived, mine.free).Add(*delay)
		// Not time.Sleep, which takes up to a millisecond longer, the longer the more idle the server is.
		for time.Until(due) > 0 {
			mine.alarm.Sleep(time.Until(due))
		}
		mine.free = due
		free <- mine
		_, _ = io.WriteString(w, "ok") // the client counts what it did not get
	}))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// start starts that server in a process of its own.
func (s server) start(ctx context.Context) (*spawn.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, serveCommand, "-workers", strconv.Itoa(s.workers), "-delay", s.delay.String())
	cmd.Stderr = os.Stderr
	return spawn.Start(ctx, cmd, nil)
}
