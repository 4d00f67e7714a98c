package trial

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/sample"
)

// What a server has printed, answered or written to its log is repeated in texts and names, which the service must take.
func TestCut_sendsNoTextThatCannotBeStored(t *testing.T) {
	got := cut("it said: a\x00b\x1b[31m\x7f \xff\tc\nd", 100)
	if want := "it said: a\uFFFDb\uFFFD[31m\uFFFD \uFFFD\tc\nd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := cut(strings.Repeat("\x00", 1000), 10); got != strings.Repeat("\uFFFD", 10)+" …" {
		t.Errorf("%q", got)
	}
}

func TestWire_aForgedLogGrowsNoBatch(t *testing.T) {
	forged := sample.LogSummary{ByOperation: map[string]int{}, ByCause: map[string]sample.PauseSummary{}}
	const names = 100_000
	for i := range names {
		name := fmt.Sprint(i, "\x00", strings.Repeat("x", 1000))
		forged.ByOperation[name] = 1
		forged.ByCause[name] = sample.PauseSummary{Count: 1, Sum: time.Second, Max: time.Duration(i)}
	}
	safepoints, collections := wireSafepoints(forged), wireCollections(forged, nil)
	text, err := json.Marshal([]any{safepoints, collections})
	if err != nil || len(text) > 256<<10 || strings.Contains(string(text), `\u0000`) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	counted, paused, longest := 0, 0, int64(0)
	for _, n := range safepoints.ByOperation {
		counted += n
	}
	for _, p := range collections.ByCause {
		paused, longest = paused+p.Count, max(longest, p.MaxNs)
	}
	if counted != names || paused != names || longest != names-1 || len(safepoints.ByOperation) > mostNames+1 {
		t.Errorf("%d safepoints by %d operations, %d pauses, the longest %d", counted, len(safepoints.ByOperation), paused, longest)
	}
}
