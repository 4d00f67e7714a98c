package sample

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

const captured = "testdata/host"

func TestProcess_reads_a_captured_process(t *testing.T) {
	row := read(t, NewProcess(captured, 4242))
	for name, want := range map[string]float64{
		"proc.cpu_user_s": 1.45, // 145 ticks of 10 ms
		"proc.cpu_sys_s":  0.37,
		"proc.rss_bytes":  71705 * float64(os.Getpagesize()),
		"proc.threads":    19,
	} {
		if row[name] != want {
			t.Errorf("%s = %v, want %v", name, row[name], want)
		}
	}
}

func TestProcess_costs_only_the_columns_of_a_file_that_is_gone(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "proc/9/stat"), "9 (a) b (c) S 1 9 9 0 -1 0 0 0 0 0 250 50 0 0 20 0 9 0 500 0 0 0")
	row := read(t, NewProcess(root, 9))
	if row["proc.cpu_user_s"] != 2.5 || row["proc.cpu_sys_s"] != 0.5 {
		t.Errorf("CPU %v and %v, want 2.5 and 0.5", row["proc.cpu_user_s"], row["proc.cpu_sys_s"])
	}
	if !math.IsNaN(row["proc.rss_bytes"]) || !math.IsNaN(row["proc.threads"]) {
		t.Errorf("RSS %v, threads %v: must be missing", row["proc.rss_bytes"], row["proc.threads"])
	}
}

func TestProcess_that_ended_has_no_memory(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "proc/9/statm"), "0 0 0 0 0 0 0\n")
	if rss := read(t, NewProcess(root, 9))["proc.rss_bytes"]; !math.IsNaN(rss) {
		t.Errorf("RSS of a process without memory = %v, must be missing", rss)
	}
}

func TestSwitches_sums_threads_and_keeps_those_that_ended(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(captured)); err != nil {
		t.Fatal(err)
	}
	s := NewSwitches(root, 4242)
	// Four captured threads: 3+189+16+4 and 77+4090+113+3.
	check := func(voluntary, involuntary float64) {
		t.Helper()
		row := read(t, s)
		if row["proc.ctx_switches_voluntary"] != voluntary || row["proc.ctx_switches_involuntary"] != involuntary {
			t.Errorf("%v, want %v and %v", row, voluntary, involuntary)
		}
	}
	check(212, 4283)
	if err := os.RemoveAll(filepath.Join(root, "proc/4242/task/4243")); err != nil {
		t.Fatal(err)
	}
	check(212, 4283)
	put(t, filepath.Join(root, "proc/4242/task/5000/status"), "voluntary_ctxt_switches:\t8\nnonvoluntary_ctxt_switches:\t1\n")
	check(220, 4284)
}

func TestSwitches_of_many_threads_are_read_in_slices(t *testing.T) {
	root := t.TempDir()
	const threads = 2*threadsPerSecond + 10
	for i := range threads {
		put(t, filepath.Join(root, "proc/9/task", strconv.Itoa(i), "status"), "voluntary_ctxt_switches:\t8\nnonvoluntary_ctxt_switches:\t1\n")
	}
	s := NewSwitches(root, 9)
	clock := time.Unix(1e9, 0)
	s.now = func() time.Time { return clock }
	for second := range 4 {
		row := read(t, s)
		got := row["proc.ctx_switches_voluntary"]
		if second < 2 && !math.IsNaN(got) {
			t.Errorf("after %d s: %v, a part of the threads is no sum", second, got)
		}
		if second >= 2 && (got != 8*threads || row["proc.ctx_switches_involuntary"] != threads) {
			t.Errorf("after %d s: %v, want %d", second, row, 8*threads)
		}
		clock = clock.Add(time.Second)
	}
	// Ten readings within a second may not take more than one would have.
	s.left, s.round, s.at = 0, nil, clock
	taken := 0
	for range 10 {
		clock = clock.Add(100 * time.Millisecond)
		before := len(s.round)
		if before == 0 {
			before = threads
		}
		read(t, s)
		taken += before - len(s.round)
	}
	if taken < threadsPerSecond-1 || taken > threadsPerSecond {
		t.Errorf("%d threads were read within a second, %d are allowed", taken, threadsPerSecond)
	}
}

func TestPressure_reads_the_total(t *testing.T) {
	if v := read(t, NewPressure(captured))["host.psi_cpu_some_s"]; v != 612.799175 {
		t.Errorf("%v, want 612.799175", v)
	}
	if v := read(t, NewPressure(t.TempDir()))["host.psi_cpu_some_s"]; !math.IsNaN(v) {
		t.Errorf("%v on a kernel without it, must be missing", v)
	}
}
