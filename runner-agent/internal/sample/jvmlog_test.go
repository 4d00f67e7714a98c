package sample

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The sums were taken from the same files with awk.
func TestReadJVMLog_of_every_JDK(t *testing.T) {
	for fixture, want := range map[string]struct {
		safepoints                   int
		ttsp, stop, ttspMax, stopMax time.Duration
		pauses, collections          int
		pauseMicros                  int64
	}{
		"jdk-21-G1":            {13, 5780207, 48110151, 5430796, 13237713, 13, 8, 39467},
		"jdk-25-G1":            {13, 2198259, 47719060, 1621363, 16231364, 13, 8, 34623},
		"jdk-26-G1":            {13, 240049, 47993851, 165038, 28338598, 13, 8, 46740},
		"jdk-27-G1":            {13, 352607, 55332310, 111578, 21631379, 13, 9, 50756},
		"jdk-28-ea-G1":         {13, 1329628, 48781746, 897754, 22306301, 13, 9, 45452},
		"jdk-21-Serial":        {20, 506756, 119843585, 148146, 53767668, 20, 20, 113894},
		"jdk-28-ea-Serial":     {20, 304725, 135156745, 113552, 42834878, 20, 20, 132103},
		"jdk-21-ZGC":           {25, 2402871, 6818856, 2146392, 3546963, 24, 6, 287},
		"jdk-28-ea-ZGC":        {24, 52838, 595209, 14076, 142475, 24, 7, 173},
		"jdk-21-Shenandoah":    {20, 45533, 924453, 5380, 147074, 20, 6, 531},
		"jdk-28-ea-Shenandoah": {20, 86660, 1690722, 8746, 590922, 20, 7, 1275},
	} {
		t.Run(fixture, func(t *testing.T) {
			log, err := ReadJVMLog("testdata/jvmlog/" + fixture + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			s := log.Summary(0, 0)
			if s.Count != want.safepoints || s.TTSP != want.ttsp || s.Stop != want.stop || log.Unread != 0 {
				t.Errorf("%d safepoints, to safepoint %d, stopped %d, unread %d; want %+v", s.Count, s.TTSP, s.Stop, log.Unread, want)
			}
			if *s.TTSPMax != want.ttspMax || *s.StopMax != want.stopMax {
				t.Errorf("maxima %d and %d, want %+v", *s.TTSPMax, *s.StopMax, want)
			}
			if len(log.Pauses) != want.pauses || s.Collections != want.collections || s.PauseSum.Microseconds() != want.pauseMicros {
				t.Errorf("%d pauses of %d collections, %d us; want %+v", len(log.Pauses), s.Collections, s.PauseSum.Microseconds(), want)
			}
			operations := 0
			for _, n := range s.ByOperation {
				operations += n
			}
			if operations != s.Count {
				t.Errorf("%d safepoints by operation, %d in all", operations, s.Count)
			}
		})
	}
}

func TestSummary_names_the_cause(t *testing.T) {
	for fixture, cause := range map[string]string{
		"jdk-21-G1":     "Full (Diagnostic Command)",
		"jdk-28-ea-G1":  "Full (Diagnostic Command)",
		"jdk-21-Serial": "Young (Allocation Failure)",
		"jdk-28-ea-ZGC": "Mark Start (Major)",
	} {
		log, err := ReadJVMLog("testdata/jvmlog/" + fixture + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if got := log.Summary(0, 0).ByCause; got[cause].Count == 0 || got[cause].Sum < got[cause].Max {
			t.Errorf("%s: causes %v, want %q among them", fixture, got, cause)
		}
	}
}

func TestParseJVMLog_reads_all_published_forms(t *testing.T) {
	log, err := parseJVMLog(strings.NewReader(`[241000000ns][info][safepoint] Safepoint "G1CollectFull", Time since last: 209860804 ns, Reaching safepoint: 3092 ns, Cleanup: 38149 ns, At safepoint: 7213961 ns, Leaving safepoint: 5864 ns, Total: 7261066 ns
[280000000ns][info][safepoint      ] Safepoint "G1CollectFull", Time since last: 249374401 ns, Reaching safepoint: 2510 ns, At safepoint: 12304771 ns, Leaving safepoint: 1661 ns, Total: 12308942 ns, Threads: 0 runnable, 14 total
[280000001ns][info][safepoint,stats] G1CollectFull [ 14  0 ][ 2510 12306432 12308942 ] 0
[280000002ns][info][gc,start       ] GC(7) Pause Full (System.gc())
[280000003ns][info][gc             ] GC(7) Pause Full (System.gc()) 3M->2M(10M) 8.022ms
[280000004ns][info][gc             ] GC(5) Major Collection (System.gc()) 42M(16%)->40M(16%) 0.052s
a line of the JVM without decorations
[280000005ns][info][safepoint      ] Safepoint "Cut", Reaching safepoint: 1 ns, At saf
[280000006ns][info][gc             ] GC(8) Pause Full (Diagnostic Comma`))
	if err != nil {
		t.Fatal(err)
	}
	s := log.Summary(0, 0)
	if s.Count != 2 || s.TTSP != 5602 || s.Stop != 19570008 || s.ByOperation["G1CollectFull"] != 2 {
		t.Errorf("safepoints: %+v", s)
	}
	if full := s.ByCause["Full (System.gc())"]; len(s.ByCause) != 1 || full.Count != 1 || full.Sum != 8022*time.Microsecond {
		t.Errorf("pauses: %+v", s.ByCause)
	}
	if log.Pauses[0].HeapMB != 2 || log.Pauses[0].GC != 7 {
		t.Errorf("pause: %+v", log.Pauses[0])
	}
	if log.Unread != 1 {
		t.Errorf("%d unread lines, the cut one is to be counted", log.Unread)
	}
}

// repeated is a text over and over, without end.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(into []byte) (n int, _ error) {
	for n < len(into) {
		copied := copy(into[n:], r.text[r.at:])
		n, r.at = n+copied, (r.at+copied)%len(r.text)
	}
	return n, nil
}

// The server can write to the file whatever it likes.
func TestParseJVMLog_holdsNoMoreThanAJVMsLog(t *testing.T) {
	const pause = "[1000000000ns][info][gc] GC(0) Pause Young (Allocation Failure) 30M->4M(61M) 10.000ms\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	log, err := parseJVMLog(io.MultiReader(io.LimitReader(&repeated{text: strings.Repeat("x", 1<<16)}, 256<<20), strings.NewReader("\n"+pause)))
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; err != nil || len(log.Pauses) != 1 || took > 16<<20 {
		t.Errorf("a line of 256 MiB: %+v, %v, %d bytes allocated", log, err, took)
	}
	for name, endless := range map[string]string{"zeros": strings.Repeat("\x00", 1<<16), "lines": "x\n"} {
		if _, err := parseLogWithin(&repeated{text: endless}, 1<<20, 100); !errors.Is(err, errLogTooLong) {
			t.Errorf("%s without end: %v", name, err)
		}
	}
	for name, endless := range map[string]string{"pauses": pause, "safepoints": `[1ns][info][safepoint] Safepoint "Op", Reaching safepoint: 1 ns, Total: 1 ns` + "\n"} {
		if _, err := parseLogWithin(&repeated{text: endless}, 1<<30, 100); !errors.Is(err, errLogTooLong) {
			t.Errorf("%s without end: %v", name, err)
		}
	}
}

func TestSummary_is_of_the_asked_stretch(t *testing.T) {
	var log JVMLog
	for i := 1; i <= 100; i++ {
		log.Safepoints = append(log.Safepoints, Safepoint{time.Duration(i) * time.Second, "Op", time.Duration(i), time.Duration(2 * i)})
	}
	s := log.Summary(0, 0)
	// Nearest rank of 99 % of 100 values is the 99th.
	if *s.TTSPP99 != 99 || *s.TTSPMax != 100 || s.TTSP != 5050 || s.Stop != 10100 {
		t.Errorf("whole log: %+v", s)
	}
	s = log.Summary(10*time.Second, 20*time.Second) // 10..19
	if s.Count != 10 || s.TTSP != 145 || *s.StopMax != 38 {
		t.Errorf("from 10 s up to 20 s: %+v", s)
	}
	s = log.Summary(time.Hour, 0)
	if s.Count != 0 || s.TTSPMax != nil || s.TTSPP99 != nil || s.StopMax != nil || s.PauseMax != nil {
		t.Errorf("a stretch without safepoints has no extremes: %+v", s)
	}
}

func TestSummary_of_allocation(t *testing.T) {
	log, err := parseJVMLog(strings.NewReader(`[1000000000ns][info][gc] GC(0) Pause Young (Allocation Failure) 30M->4M(61M) 10.000ms
[2000000000ns][info][gc] GC(1) Pause Young (Allocation Failure) 31M->5M(61M) 20.000ms
[4000000000ns][info][gc] GC(2) Pause Full (System.gc()) 25M->3M(61M) 500.000ms
`))
	if err != nil {
		t.Fatal(err)
	}
	// 31-4 and 25-5 MiB, from 1 s to 4 s less the last pause.
	if got := log.Summary(0, 0).Allocated; got == nil || *got != (Allocation{47 << 20, 2500 * time.Millisecond}) {
		t.Errorf("%+v", got)
	}
	if got := log.Summary(1500*time.Millisecond, 3*time.Second).Allocated; got != nil {
		t.Errorf("%+v of a single collection", got)
	}
	for _, collector := range []string{"ZGC", "Shenandoah"} {
		log, err := ReadJVMLog("testdata/jvmlog/jdk-28-ea-" + collector + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if got := log.Summary(0, 0).Allocated; got != nil {
			t.Errorf("%s: %+v, its pauses do not say", collector, got)
		}
	}
}

func TestReadJVMLog_placesUptimeOnTheHostsClock(t *testing.T) {
	log, err := parseJVMLog(strings.NewReader("[13443915640504ns][1571845522ns][info][gc,start         ] GC(1) Pause Full (System.gc())\n" +
		"[13443970145459ns][1626350487ns][info][gc               ] GC(1) Pause Full (System.gc()) 35M->24M(123M) 54.502ms\n"))
	if err != nil || log.ZeroNs != 13443915640504-1571845522 || len(log.Pauses) != 1 || log.Pauses[0].Uptime != 1626350487 {
		t.Errorf("%+v, %v", log, err)
	}
}
