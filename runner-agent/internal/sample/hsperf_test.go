package sample

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestHsperf_agrees_with_the_JDKs_own_reader(t *testing.T) {
	texts, err := filepath.Glob("testdata/hsperf/*.txt")
	if err != nil || len(texts) < 5 {
		t.Fatalf("fixtures of five JDKs: %v %v", texts, err)
	}
	for _, path := range texts {
		t.Run(filepath.Base(path), func(t *testing.T) {
			h := openFixture(t, strings.TrimSuffix(path, ".txt")+".bin")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for entry := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
				name, want, _ := strings.Cut(entry, "=")
				got, ok := "", false
				if quoted, isText := strings.CutPrefix(want, `"`); isText {
					got, ok = h.Text(name)
					want = strings.TrimSuffix(quoted, `"`)
				} else {
					var n int64
					n, ok = h.Long(name)
					got = strconv.FormatInt(n, 10)
				}
				if !ok || got != want {
					t.Errorf("%s = %q (there: %v), jcmd says %q", name, got, ok, want)
				}
				compared++
			}
			if compared < 100 {
				t.Errorf("compared %d counters, a JVM has more", compared)
			}
		})
	}
}

func TestHsperf_fills_what_each_JDK_and_collector_can_tell(t *testing.T) {
	const (
		live = "jvm.heap_used_bytes"
		left = "jvm.heap_used_after_gc_bytes"
		gcs  = "jvm.gc_count"
		stop = "jvm.gc_pause_s"
		cpu  = "jvm.gc_cpu_s"
	)
	// What is missing, everything else must be there. Only G1 and Parallel count the
	// collector's CPU time, and not on 21; Serial has its heap live only where the
	// JVM has a sampler.
	for fixture, missing := range map[string][]string{
		"jdk-21-G1":            {cpu},
		"jdk-25-G1":            {},
		"jdk-26-G1":            {},
		"jdk-27-G1":            {},
		"jdk-28-ea-G1":         {},
		"jdk-21-Serial":        {cpu},
		"jdk-28-ea-Serial":     {live, cpu},
		"jdk-21-ZGC":           {live, gcs, cpu},
		"jdk-28-ea-ZGC":        {live, gcs, cpu},
		"jdk-21-Shenandoah":    {left, gcs, stop, cpu},
		"jdk-28-ea-Shenandoah": {left, gcs, stop, cpu},
	} {
		t.Run(fixture, func(t *testing.T) {
			h := openFixture(t, "testdata/hsperf/"+fixture+".bin")
			row := read(t, h)
			for name, value := range row {
				wantMissing := strings.Contains(strings.Join(missing, " "), name)
				if math.IsNaN(value) != wantMissing {
					t.Errorf("%s = %v, missing should be %v", name, value, wantMissing)
				}
			}
		})
	}
}

func TestHsperf_columns_are_the_counters_in_their_units(t *testing.T) {
	h := openFixture(t, "testdata/hsperf/jdk-21-G1.bin")
	row := read(t, h)
	counter := func(name string) float64 {
		n, ok := h.Long(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		return float64(n)
	}
	frequency := counter("sun.os.hrt.frequency")
	for name, want := range map[string]float64{
		"jvm.safepoint_count":          counter("sun.rt.safepoints"),
		"jvm.safepoint_stop_s":         (counter("sun.rt.safepointTime") + counter("sun.rt.safepointSyncTime")) / frequency,
		"jvm.safepoint_ttsp_s":         counter("sun.rt.safepointSyncTime") / frequency,
		"jvm.gc_count":                 counter("sun.gc.collector.0.invocations") + counter("sun.gc.collector.1.invocations"),
		"jvm.threads_live":             counter("java.threads.live"),
		"jvm.classes_loaded":           counter("java.cls.loadedClasses") + counter("java.cls.sharedLoadedClasses"),
		"jvm.heap_committed_bytes":     64 << 20, // -Xms64m
		"jvm.heap_used_after_gc_bytes": counter("sun.gc.generation.1.space.0.used"),
	} {
		if math.Abs(row[name]-want) > 1e-12*want {
			t.Errorf("%s = %v, want %v", name, row[name], want)
		}
	}
}

func TestHsperf_indexes_again_when_the_JVM_adds_counters(t *testing.T) {
	data := fixture(t, "testdata/hsperf/jdk-28-ea-G1.bin")
	all := binary.LittleEndian.Uint32(data[offEntries:])
	binary.LittleEndian.PutUint32(data[offEntries:], 5)
	path := filepath.Join(t.TempDir(), "1")
	h, write := openMutable(t, path, data)
	if _, ok := h.Long("sun.rt.safepoints"); ok {
		t.Fatal("a counter beyond the number of entries was read")
	}
	if row := read(t, h); !math.IsNaN(row["jvm.safepoint_count"]) {
		t.Errorf("safepoints = %v before the counter is there, must be missing", row["jvm.safepoint_count"])
	}
	write(offEntries, all)
	if row := read(t, h); !(row["jvm.safepoint_count"] > 0) {
		t.Errorf("safepoints = %v after the counter was added", row["jvm.safepoint_count"])
	}
}

func TestHsperf_stays_readable_after_the_file_is_removed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "1")
	h, _ := openMutable(t, path, fixture(t, "testdata/hsperf/jdk-25-G1.bin"))
	before := read(t, h)["jvm.safepoint_count"]
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if after := read(t, h)["jvm.safepoint_count"]; after != before || math.IsNaN(after) {
		t.Errorf("after removal %v, before %v", after, before)
	}
}

func TestHsperf_truncated_under_the_mapping_is_an_error(t *testing.T) {
	path := filepath.Join(t.TempDir(), "1")
	h, _ := openMutable(t, path, fixture(t, "testdata/hsperf/jdk-25-G1.bin"))
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := h.Read(make([]float64, len(h.Columns()))); err == nil {
		t.Error("reading a truncated file succeeded")
	}
}

func TestHsperf_after_close_is_an_error(t *testing.T) {
	h := openFixture(t, "testdata/hsperf/jdk-25-G1.bin")
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.Read(make([]float64, len(h.Columns()))); err == nil {
		t.Error("reading after close succeeded")
	}
}

// The file belongs to another process: whatever is in it, the agent must survive.
func TestMapCounters_survives_any_content(t *testing.T) {
	seed := fixture(t, "testdata/hsperf/jdk-28-ea-G1.bin")
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 500 {
		data := append([]byte(nil), seed[:random.IntN(len(seed)+1)]...)
		for range random.IntN(20) {
			if len(data) > 0 {
				data[random.IntN(min(len(data), 400))] = byte(random.Uint32())
			}
		}
		path := filepath.Join(t.TempDir(), "1")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := openCounters(path)
		if err != nil {
			refused++
			continue
		}
		if err := h.Read(make([]float64, len(h.Columns()))); err != nil {
			t.Logf("read: %v", err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	if refused == 0 {
		t.Error("no damaged file was refused")
	}
}

func TestOpenHsperf_refuses_the_file_of_an_earlier_process(t *testing.T) {
	h := openFixture(t, "testdata/hsperf/jdk-25-G1.bin")
	vm, ok := h.VMBegan()
	if !ok {
		t.Fatal("no start time in the fixture")
	}
	for name, c := range map[string]struct {
		processBegan time.Time
		refused      bool
	}{
		"same start":                    {vm.Add(-50 * time.Millisecond), false},
		"process began a minute later":  {vm.Add(time.Minute), true},
		"launcher began a minute early": {vm.Add(-time.Minute), false},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			put(t, filepath.Join(root, "proc/77/stat"), "77 (java) S 1 77 77 0 -1 0 0 0 0 0 1 2 0 0 20 0 9 0 500 0 0 0")
			put(t, filepath.Join(root, "proc/stat"), "btime "+strconv.FormatInt(c.processBegan.Unix()-5, 10)+"\n")
			put(t, filepath.Join(root, "tmp/hsperfdata_somebody/77"), string(fixture(t, "testdata/hsperf/jdk-25-G1.bin")))
			h, err := OpenHsperf(root, 77)
			if (err != nil) != c.refused {
				t.Fatalf("refused: %v, want refused: %v", err, c.refused)
			}
			if err == nil {
				if err := h.Close(); err != nil {
					t.Error(err)
				}
			}
			if _, err := OpenHsperf(root, 78); err == nil {
				t.Error("a process that is not there has counters")
			}
		})
	}
}

func TestOpenHsperf_without_a_file_says_so(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "proc/77/stat"), "77 (java) S 1 77 77 0 -1 0 0 0 0 0 1 2 0 0 20 0 9 0 500 0 0 0")
	put(t, filepath.Join(root, "proc/stat"), "btime 1700000000\n")
	if _, err := OpenHsperf(root, 77); !errors.Is(err, ErrNoCounters) {
		t.Errorf("error %v, want ErrNoCounters", err)
	}
}

func fixture(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func openFixture(t *testing.T, path string) *Hsperf {
	t.Helper()
	h, err := openCounters(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// openMutable maps a file that the test goes on writing to, as a JVM would.
func openMutable(t *testing.T, path string, data []byte) (*Hsperf, func(at int64, value uint32)) {
	t.Helper()
	put(t, path, string(data))
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return openFixture(t, path), func(at int64, value uint32) {
		t.Helper()
		if _, err := f.WriteAt(binary.LittleEndian.AppendUint32(nil, value), at); err != nil {
			t.Fatal(err)
		}
	}
}

// read reads a source as the sampler does, by column name.
func read(t *testing.T, s Source) map[string]float64 {
	t.Helper()
	row := make([]float64, len(s.Columns()))
	for i := range row {
		row[i] = Missing
	}
	if err := s.Read(row); err != nil {
		t.Logf("%s: %v", s.Name(), err)
	}
	byName := map[string]float64{}
	for i, name := range s.Columns() {
		byName[name] = row[i]
	}
	return byName
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
