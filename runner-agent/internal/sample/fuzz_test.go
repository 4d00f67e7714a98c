package sample

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"loomboard.dev/agent/internal/testbed"
)

// FuzzCounterFile: whatever a JVM's counter file holds, indexing it and reading all that was indexed stays within it.
// The guard against truncated files is left out, so that it cannot hide a wrong offset.
func FuzzCounterFile(f *testing.F) {
	fixtures, err := filepath.Glob("testdata/hsperf/*.bin")
	if err != nil || len(fixtures) == 0 {
		f.Fatalf("no counter files to begin with: %v", err)
	}
	for _, path := range fixtures {
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for damaged := range testbed.Damaged(content) {
			f.Add(damaged)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) < hsperfHeader {
			return // refused by its size before it is mapped
		}
		c := counterFile{path: "fuzzed", data: aligned(content)}
		if c.index() != nil {
			return
		}
		if c.entries > hsperfMaxEntries || len(c.longs)+len(c.texts) > c.entries {
			t.Fatalf("%d numbers and %d texts of %d entries", len(c.longs), len(c.texts), c.entries)
		}
		for name := range c.longs {
			c.long(name)
		}
		for name := range c.texts {
			if text, _ := c.text(name); strings.ContainsRune(text, 0) {
				t.Fatalf("%q holds the end of a text", text)
			}
		}
		c.grown()
	})
}

// aligned is a copy as a mapping has it: its beginning divides by 8.
func aligned(content []byte) []byte {
	words := make([]uint64, (len(content)+7)/8)
	out := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(content))
	copy(out, content)
	return out
}

// FuzzJVMLog: whatever a JVM logs, reading it ends, and no pause lasts less than no time.
func FuzzJVMLog(f *testing.F) {
	fixtures, err := filepath.Glob("testdata/jvmlog/*")
	if err != nil || len(fixtures) == 0 {
		f.Fatalf("no logs to begin with: %v", err)
	}
	for _, path := range fixtures {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if lines := strings.SplitAfterN(string(text), "\n", 40); len(lines) > 1 {
			for damaged := range testbed.Damaged([]byte(strings.Join(lines[:len(lines)-1], ""))) {
				f.Add(string(damaged))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		log, err := parseJVMLog(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, s := range log.Safepoints {
			if s.Operation == "" || s.Reaching < 0 || s.Total < 0 {
				t.Fatalf("a safepoint that cannot be: %+v", s)
			}
		}
	})
}
