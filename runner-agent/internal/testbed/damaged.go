package testbed

import (
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// damagedCopies are few enough for every run of the tests; `make fuzz` tries millions.
const damagedCopies = 20

// Damaged gives a seed of a fuzzer, and copies that are cut, doubled in part or have some bytes changed: always the same of a
// seed, so that what was found stays found.
func Damaged(seed []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if !yield(seed) {
			return
		}
		random := rand.New(rand.NewPCG(uint64(len(seed)), 1))
		for range damagedCopies {
			if !yield(damaged(seed, random)) {
				return
			}
		}
	}
}

func damaged(seed []byte, random *rand.Rand) []byte {
	copied := slices.Clone(seed)
	switch random.IntN(3) {
	case 0:
		copied = copied[:random.IntN(len(seed)+1)]
	case 1:
		copied = append(copied, seed[:random.IntN(len(seed)+1)]...)
	}
	for range random.IntN(4) {
		if len(copied) > 0 {
			copied[random.IntN(len(copied))] = byte(random.IntN(256))
		}
	}
	return copied
}

// SeedFiles adds the files of each pattern, which must have some, and their damaged copies.
func SeedFiles(f *testing.F, patterns ...string) {
	f.Helper()
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("nothing to begin with at %s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for damaged := range Damaged(text) {
				f.Add(damaged)
			}
		}
	}
}
