package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"loomboard.dev/agent/internal/local"
)

// watcher follows one run to its end.
type watcher struct {
	system     *local.System
	began      time.Time
	firstShown bool
	last       string // what was last printed, so that nothing is printed twice
}

// measure has the matrix run on the machine unless it was measured before, and prints the result.
func measure(ctx context.Context, o options, w *watcher) error {
	w.began = time.Now()
	run, fresh, err := theRun(ctx, o, w.system)
	if err != nil {
		return err
	}
	if !fresh {
		fmt.Printf("Measured before, on %s; `make demo AGAIN=1` measures again.\n", run.CreatedAt.Local().Format("2 January 15:04"))
	}
	for _, notice := range run.Notices {
		fmt.Println("Note:", notice)
	}
	fmt.Printf("Watch it at %s%s\n", w.system.Client.Base, run.URL)
	if run, err = w.system.Follow(ctx, run.ID, w.show); err != nil {
		return err
	}
	if err := printResults(ctx, w.system.Client, run); err != nil {
		return err
	}
	return verdict(run)
}

// theRun is the run to show: one under way, one that is done, or a new one.
func theRun(ctx context.Context, o options, system *local.System) (run local.Run, fresh bool, err error) {
	var list struct{ Runs []local.Run }
	query := url.Values{"machine": {system.Machine}, "matrix": {o.matrix}, "limit": {"1"}}
	if err := system.Client.Call(ctx, http.MethodGet, "/api/v1/runs?"+query.Encode(), nil, &list); err != nil {
		return run, false, err
	}
	if len(list.Runs) > 0 {
		newest := list.Runs[0]
		if !newest.Ended() {
			fmt.Println("Going on with the run that was under way.")
			return newest, true, nil
		}
		if newest.State == "done" && !o.again && !o.once {
			return newest, false, nil
		}
	}
	run, err = system.Queue(ctx, o.matrix)
	return run, true, err
}

// show prints what changed: a line when a trial changes phase on a terminal, when a trial begins elsewhere.
func (w *watcher) show(run local.Run) {
	if !w.firstShown && firstResult(run) {
		w.firstShown = true
		w.line(fmt.Sprintf("First result on the page after %s: %s/leaderboard", since(w.began), w.system.Client.Base))
	}
	current := "waiting for the agent"
	for _, t := range run.Trials {
		if t.State == "running" {
			current = t.Name()
			if t.Phase != nil && terminal() {
				current += " · " + *t.Phase
			}
		}
	}
	end := ""
	if run.ExpectedEnd != nil {
		end = " · expected end " + run.ExpectedEnd.Local().Format(time.TimeOnly)
	}
	text := fmt.Sprintf("[%2d/%d] %s", run.Done, run.Total, current)
	if text == w.last || run.Ended() {
		return
	}
	w.last = text
	if terminal() {
		fmt.Print("\r\033[K", text, end)
		return
	}
	fmt.Println(text + end)
}

// line prints a line of its own above the progress.
func (w *watcher) line(text string) {
	if terminal() {
		fmt.Print("\r\033[K")
	}
	fmt.Println(text)
}

func firstResult(run local.Run) bool {
	for _, t := range run.Trials {
		if t.Kind == "scored" && t.State == "done" {
			return true
		}
	}
	return false
}

// verdict is an error when the run or any of its trials failed. An invalid trial did not fail: the load generator
// spoilt it, and it is shown as that. An aborted one did not either: it was tried again, or the run says why not.
func verdict(run local.Run) error {
	var failed []string
	for _, t := range run.Trials {
		if t.State == "failed" {
			reason := "no reason given"
			if t.Reason != nil {
				reason = *t.Reason
			}
			failed = append(failed, fmt.Sprintf("  %s failed: %s", t.Name(), reason))
		}
	}
	if run.State == "done" && len(failed) == 0 {
		return nil
	}
	why := ""
	if run.Failure != nil {
		why = ": " + *run.Failure
	}
	return fmt.Errorf("the run is %s%s\n%s", run.State, why, strings.Join(failed, "\n"))
}

func since(t time.Time) string { return time.Since(t).Round(time.Second).String() }

func terminal() bool {
	info, err := os.Stdout.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
