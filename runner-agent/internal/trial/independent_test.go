package trial

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// They were calculated by another program; the service's tests read the same.
func TestIndependent_examplesThatTheServiceShares(t *testing.T) {
	text, err := os.ReadFile("../../../backend/src/test/resources/independent-hits.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Name            string
		BeyondPerSecond []int64
		Independent     float64
		Enough          bool
	}
	if err := json.Unmarshal(text, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) < 11 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, e := range examples {
		if got := independent(e.BeyondPerSecond); math.Abs(got-e.Independent) > 1e-9 {
			t.Errorf("%s: %v independent hits, not %v", e.Name, got, e.Independent)
		}
		if enough := tooFewHits(500, 1_000_000, e.BeyondPerSecond) == ""; enough != e.Enough {
			t.Errorf("%s: enough is not %v", e.Name, e.Enough)
		}
	}
}
