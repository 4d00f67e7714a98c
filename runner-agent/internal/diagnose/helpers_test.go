package diagnose

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"loomboard.dev/agent/internal/load"
)

// histogram holds values in ms, encoded as on the wire.
func histogram(t *testing.T, values ...int64) string {
	t.Helper()
	h := hdrhistogram.New(1, int64(5*time.Minute), 3)
	for _, v := range values {
		if err := h.RecordValue(v * ms); err != nil {
			t.Fatal(err)
		}
	}
	text, err := load.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
