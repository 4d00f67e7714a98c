package simulated

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, lines ...string) *Ledger {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	l := NewLedger(nil)
	if err := l.Read(path); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLedger_knowsABatchByWhatBecameOfIt(t *testing.T) {
	const (
		sealing      = `{"trial":"trl_a","seq":3,"what":"sealing","digest":"d1","windows":2}`
		sealed       = `{"trial":"trl_a","seq":3,"what":"sealed"}`
		sent         = `{"trial":"trl_a","seq":3,"what":"sent","digest":"d1"}`
		sentOther    = `{"trial":"trl_a","seq":3,"what":"sent","digest":"d2"}`
		acknowledged = `{"trial":"trl_a","seq":3,"what":"acknowledged"}`
		cutOff       = `{"trial":"trl_a","seq":3,"wh`
	)
	for _, c := range []struct {
		name  string
		lines []string
		want  Batch
	}{
		{"sealed", []string{sealing, sealed}, Batch{Digest: "d1", Windows: 2, Sealed: true}},
		{"acknowledged", []string{sealing, sealed, acknowledged}, Batch{Digest: "d1", Windows: 2, Sealed: true, Acknowledged: true}},
		{"sent before it was noted", []string{sealing, sent, sealed}, Batch{Digest: "d1", Windows: 2, Sealed: true}},
		{"a kill came after the spool had it", []string{sealing, sent}, Batch{Digest: "d1", Windows: 2}},
		{"a kill came before, and the spool's own last one has its number", []string{sealing, sentOther}, Batch{Digest: "d2"}},
		{"a kill came before", []string{sealing}, Batch{}},
		{"a kill came within a line", []string{sealing, sealed, cutOff}, Batch{Digest: "d1", Windows: 2, Sealed: true}},
	} {
		all, err := read(t, c.lines...).All()
		got := all[BatchID{"trl_a", 3}]
		got.offered = content{}
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
	if _, err := read(t, sealing, sealed, sentOther).All(); err == nil {
		t.Error("a batch with two contents was taken")
	}
}
