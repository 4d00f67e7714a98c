package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/numbers"
)

// table is one comparison: the tools run one after the other in each round, there
// and back in turns, and the median of the rounds counts.
type table struct {
	Title   string   `json:"title"`
	Rows    []string `json:"rows"`
	Columns []string `json:"columns"`
	// Scheduling is each row's class.
	Scheduling map[string]load.SchedulingClass `json:"scheduling"`
	Runs       map[string][]run                `json:"runs"`    // by row, one each round
	Medians    map[string]run                  `json:"medians"` // by row
	Awake      bool                            `json:"awake"`   // the cores were kept from sleeping
	Promises   []promise                       `json:"promises"`
	Notes      []string                        `json:"notes,omitempty"`
}

// promise is a goal and what was measured.
type promise struct {
	What string  `json:"what"`
	Got  float64 `json:"got"`
	Most float64 `json:"most"`
	Kept bool    `json:"kept"`
}

func newTable(title string, columns ...string) *table {
	return &table{
		Title:      title,
		Columns:    columns,
		Scheduling: map[string]load.SchedulingClass{},
		Runs:       map[string][]run{},
		Medians:    map[string]run{},
	}
}

// play runs all tools; pid is the server's.
func (t *table) play(ctx context.Context, tools []tool, url string, pid, rounds int, d time.Duration) error {
	if hold, err := awake(); err == nil {
		t.Awake = true
		defer hold.Close()
	} else {
		t.Notes = append(t.Notes, "cores may sleep: "+err.Error())
	}
	for _, tool := range tools {
		t.Rows = append(t.Rows, tool.name)
		t.Scheduling[tool.name] = tool.class
	}
	for round := range rounds {
		order := slices.Clone(tools)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, tool := range order {
			before, began := busy(pid), time.Now()
			got, err := tool.attack(ctx, url, d)
			if err != nil {
				return fmt.Errorf("round %d: %w", round+1, err)
			}
			got["serverBusy"] = min(1, (busy(pid)-before).Seconds()/min(time.Since(began).Seconds(), d.Seconds()))
			t.Runs[tool.name] = append(t.Runs[tool.name], got)
		}
	}
	for name, runs := range t.Runs {
		t.Medians[name] = medians(runs)
	}
	return nil
}

func medians(runs []run) run {
	out := run{}
	for key := range runs[0] {
		var all []float64
		for _, r := range runs {
			all = append(all, r[key])
		}
		out[key] = numbers.Median(all)
	}
	return out
}

// promise judges a figure of the medians.
func (t *table) promise(what string, got, most float64) {
	t.Promises = append(t.Promises, promise{what, got, most, got <= most})
}

// finish prints the table, writes it as JSON and says whether all promises were kept.
func (t *table) finish(folder, name string) error {
	fmt.Printf("\n%s\nmedians of %d rounds, load on core %d, server on core %d, cores kept awake: %v\n", t.Title,
		len(t.Runs[t.Rows[0]]), loadCPU, serverCPU, t.Awake)
	fmt.Printf("%-28s", "")
	for _, column := range t.Columns {
		fmt.Printf(" %12s", column)
	}
	fmt.Println()
	for _, row := range t.Rows {
		fmt.Printf("%-28s", row)
		for _, column := range t.Columns {
			if value, ok := t.Medians[row][column]; ok {
				fmt.Printf(" %12.2f", value)
			} else {
				fmt.Printf(" %12s", "–")
			}
		}
		fmt.Println()
	}
	kept := true
	for _, p := range t.Promises {
		fmt.Printf("%s: %.3f, promised at most %.3f: %s\n", p.What, p.Got, p.Most,
			map[bool]string{true: "kept", false: "NOT KEPT"}[p.Kept])
		kept = kept && p.Kept
	}
	for _, note := range t.Notes {
		fmt.Println(note)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, name+".json"), text, 0o644); err != nil {
		return err
	}
	if !kept {
		return errOutside
	}
	return nil
}
