package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/pages"
)

// phase is what visitors saw during an attack, and what the attackers did.
type phase struct {
	Name   string      `json:"name"`
	Attack attacked    `json:"attack"`
	Pages  []pageTimes `json:"pages"`
}

// pageTimes are of one page, from when it was due to the last byte of its answer.
type pageTimes struct {
	Page    string      `json:"page"`
	Times   pages.Times `json:"times"`
	Refused statuses    `json:"refusedByStatus,omitempty"` // 0: no answer
}

// kept is whether the goal was, by every visitor.
func (p pageTimes) kept() bool { return p.Times.P99 <= goalMs && len(p.Refused) == 0 }

var errGoal = errors.New("outside the goal")

func conclude(results []phase, file string) error {
	if err := table(os.Stdout, results); err != nil {
		return err
	}
	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Println("JSON:", file)
	for _, phase := range results {
		for _, page := range phase.Pages {
			if !page.kept() {
				return errGoal
			}
		}
	}
	return nil
}

// table prints each phase beside the first, which is the quiet one.
func table(out io.Writer, results []phase) error {
	fmt.Fprintf(out, "\nms since a request was due; goal: p99 ≤ %.0f ms of every page, and none refused.\n", goalMs)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "phase\tpage\trequests\tquiet p50\tp99\tp50\tp99\trefused\tkept\t")
	for _, phase := range results {
		for i, page := range phase.Pages {
			quiet := results[0].Pages[i].Times
			fmt.Fprintf(w, "%s\t%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%s\t%v\t\n", phase.Name, page.Page, page.Times.Requests,
				quiet.P50, quiet.P99, page.Times.P50, page.Times.P99, page.Refused.words(), page.kept())
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, phase := range results[1:] {
		fmt.Fprintf(out, "%s: at most %d connections at once; answered %s\n", phase.Name, phase.Attack.Connections,
			phase.Attack.Answers.words())
	}
	return nil
}

// words are such as 12×503, by status.
func (s statuses) words() string {
	var all []string
	for status, count := range s {
		word := fmt.Sprint(status)
		if status == 0 {
			word = "unanswered"
		}
		all = append(all, fmt.Sprintf("%d×%s", count, word))
	}
	slices.Sort(all)
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}
