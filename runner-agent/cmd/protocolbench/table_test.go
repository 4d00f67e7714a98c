package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/evidence"
)

func number(x float64) *float64 { return &x }

func TestSpread_isThatOfTheTables(t *testing.T) {
	var values []float64
	for _, x := range []float64{-0.02, 0, 0.02, -0.02, 0, 0.02} { // sd √(0.0016/5)
		values = append(values, math.Exp(x))
	}
	s, low, high := spread(values)
	for _, c := range []struct{ got, want float64 }{{s, 0.017889}, {low, 0.624 * s}, {high, 2.453 * s}} { // χ² with 5 degrees
		if math.Abs(c.got-c.want) > 0.001*c.want {
			t.Errorf("%.5f, must be %.5f", c.got, c.want)
		}
	}
}

func TestTables_countWhatIsNotValidAndTakeNothingOfIt(t *testing.T) {
	var launches []launch
	for i, matrix := range []string{"warm-fixed", "warm-adaptive"} {
		for round := range 4 {
			l := launch{key: key{evidence.Place{Fingerprint: "host", Commit: "abc"}, matrix, "spring-mvc virtual", "25", round + 1}, Outcome: "done", Validity: "valid",
				WallSeconds: 40 * float64(1+i), CPUMicros: number(1000 + 10*float64(round)), P50Ms: number(1.2 + 0.01*float64(round)),
				P99Ms: number(2 + 0.1*float64(round))}
			if round == 3 {
				l.Validity, l.CPUMicros = "invalid", number(9000)
			}
			launches = append(launches, l)
		}
	}
	var out bytes.Buffer
	if err := printTables(&out, benches["warm"], launches); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if fields := strings.Fields(lines[1]); strings.Join(fields[5:9], " ") != "4 3 0 1010" {
		t.Errorf("four launches, three of them valid, 1010 µs: %s", lines[1])
	}
	for _, line := range lines[5:6] { // twice the time for the same spread
		if !strings.Contains(line, "+0.0 %") || !strings.Contains(line, "2.00 (0.05 to 78.00)") {
			t.Errorf("%s", line)
		}
	}
}
