package sample

import (
	"math"
	"os"
	"testing"
)

func TestCPUClock_is_between_two_readings_of_the_ticks(t *testing.T) {
	pid := os.Getpid()
	before := CPUSeconds("/", pid)
	clock := read(t, NewCPUClock(pid))["proc.cpu_s"]
	for sum := 0.0; CPUSeconds("/", pid) < before+0.05; sum++ { // works, for ticks of 10 ms
		_ = math.Sqrt(sum)
	}
	later := read(t, NewCPUClock(pid))["proc.cpu_s"]
	after := CPUSeconds("/", pid)
	const tick = 0.02 // user and system time are cut off each
	if clock < before || later <= clock || later < before || later > after+tick {
		t.Errorf("clock %v, then %v; ticks %v, then %v", clock, later, before, after)
	}
}

func TestCPUClock_of_no_process_is_missing(t *testing.T) {
	var row [1]float64
	if err := NewCPUClock(1 << 22).Read(row[:]); err == nil {
		t.Errorf("no such process, read as %v", row)
	}
}
