package sample

import (
	"os"
	"testing"
)

// What one tick costs the machine under test: go test -bench . ./internal/sample
func benchmarkSource(b *testing.B, s Source) {
	row := make([]float64, len(s.Columns()))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Read(row); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHsperf(b *testing.B) {
	h, err := openCounters("testdata/hsperf/jdk-28-ea-G1.bin")
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	benchmarkSource(b, h)
}

func BenchmarkProcess(b *testing.B) { benchmarkSource(b, NewProcess("/", os.Getpid())) }
func BenchmarkSwitches(b *testing.B) {
	s := NewSwitches("/", os.Getpid())
	benchmarkSource(b, s)
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(s.last)), "us/thread")
}
func BenchmarkPressure(b *testing.B) { benchmarkSource(b, NewPressure("/")) }
func BenchmarkHostCPU(b *testing.B) {
	benchmarkSource(b, NewHostCPU("/", func() []int { return []int{os.Getpid()} }))
}
