package plan

import (
	"errors"
	"os"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// FuzzMatrix: whatever a matrix file holds, it is refused with the fields that are wrong, or keeps its own rules.
func FuzzMatrix(f *testing.F) {
	for _, path := range shipped(f) {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for damaged := range testbed.Damaged(text) {
			f.Add(damaged)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse(text)
		var problems *Problems
		switch {
		case err == nil:
			if left := m.problems(); len(left) > 0 {
				t.Fatalf("taken with %v", left)
			}
		case !errors.As(err, &problems) || len(problems.List) == 0:
			t.Fatalf("refused without a field: %v", err)
		}
	})
}
