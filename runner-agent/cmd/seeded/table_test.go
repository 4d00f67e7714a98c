package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/evidence"
)

func TestClopperPearson_isThatOfTheTables(t *testing.T) {
	for _, c := range []struct {
		hits, of  int
		low, high float64
	}{{5, 5, 0.4782, 1}, {0, 5, 0, 0.5218}, {4, 5, 0.2836, 0.9949}, {8, 10, 0.4439, 0.9748}} {
		if low, high := clopperPearson(c.hits, c.of); math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %.4f to %.4f, must be %.4f to %.4f", c.hits, c.of, low, high, c.low, c.high)
		}
	}
}

func TestOutcome_isRightOnlyAsItWasSeeded(t *testing.T) {
	for name, c := range map[string]struct {
		outcome
		right bool
	}{
		"found":                           {outcome{Effect: 0.05, Suspected: true, Status: "confirmed"}, true},
		"not suspected":                   {outcome{Effect: 0.05}, false},
		"left open":                       {outcome{Effect: 0.05, Suspected: true, Status: "suspect"}, false},
		"clean":                           {outcome{}, true},
		"clean, suspected and cleared":    {outcome{Suspected: true, Status: "cleared"}, true},
		"clean, suspected and left so":    {outcome{Suspected: true, Status: "suspect"}, true},
		"clean and confirmed":             {outcome{Suspected: true, Status: "confirmed"}, false},
		"clean, another metric confirmed": {outcome{FalseTests: []string{"rss"}}, false},
	} {
		if got := c.outcome.right(); got != c.right {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTable_keepsMachinesAndSizesApart(t *testing.T) {
	here, there := evidence.Place{Fingerprint: "aaaaaaaaaa", Commit: "c1"}, evidence.Place{Fingerprint: "bbbbbbbbbb", Commit: "c1"}
	minutes := 52.0
	var out bytes.Buffer
	if err := printTable(&out, []outcome{
		{Place: here, Effect: 0.05, Suspected: true, Status: "confirmed", Blocks: 16, Minutes: &minutes, Messages: told()},
		{Place: there, Effect: 0.05},
		{Place: here, Effect: 0.05},
		{Place: here},
	}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{"aaaaaaaa c1 seeded 5 % 2 1 1 (1 to 99 %) 1 2 16 52", "bbbbbbbb c1 seeded 5 % 1 0 0 (0 to 98 %) 0 1", "aaaaaaaa c1 seeded 0 % 1 0 0 (0 to 98 %) 1 1"} {
		if got := strings.Join(strings.Fields(lines[1+i]), " "); got != want {
			t.Errorf("%q, must be %q", got, want)
		}
	}
}
