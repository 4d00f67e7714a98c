package load

import (
	"strings"
	"testing"
	"time"
)

// healthy is 60 s at 1000/s by an idle generator.
func healthy() signals {
	return signals{
		health: Health{
			Lag: &Summary{P99: int64(100 * time.Microsecond)}, OwnLag: &Summary{P99: int64(100 * time.Microsecond)},
			Ticks: 60_000, CPUShare: ptr(0.2), CPUSharePeak: ptr(0.3), GCCPUShare: 0.01, StealShare: ptr(0.0),
		},
		sent: 60_000, achieved: 1, workers: 256, halfOffered: 30_000, halfAnswered: 29_990,
	}
}

func TestJudge_table(t *testing.T) {
	lag := func(d time.Duration) func(*signals) {
		return func(s *signals) { s.health.Lag.P99 = int64(d); s.health.OwnLag.P99 = int64(d) }
	}
	for _, c := range []struct {
		name    string
		change  func(*signals)
		verdict Validity
		cause   string
		reason  string // contained in the first
	}{
		{"healthy", func(*signals) {}, Valid, "", ""},
		{"lag at the limit", lag(time.Millisecond), Valid, "", ""},
		{"lag over 1 ms", lag(1001 * time.Microsecond), Suspect, CauseGenerator, "lag p99 1.001ms"},
		{"lag over 10 ms", lag(11 * time.Millisecond), Invalid, CauseGenerator, "lag p99 11ms"},
		{"achieved 99.4 %", func(s *signals) { s.achieved = 0.994 }, Suspect, CauseGenerator, "99.40 %"},
		{"achieved 98 %", func(s *signals) { s.achieved = 0.98 }, Invalid, CauseGenerator, "98.00 %"},
		{"a second at 71 %", func(s *signals) { s.health.CPUSharePeak = ptr(0.71) }, Suspect, CauseGenerator, "71 %"},
		{"5 s over 85 %", func(s *signals) { s.health.CPUSharePeak = ptr(0.9); s.health.CPUBusySeconds = 5 }, Invalid, CauseGenerator, "5 s in a row"},
		{"4 s over 85 %", func(s *signals) { s.health.CPUSharePeak = ptr(0.9); s.health.CPUBusySeconds = 4 }, Suspect, CauseGenerator, "90 %"},
		{"collector 6 %", func(s *signals) { s.health.GCCPUShare = 0.06 }, Suspect, CauseGenerator, "garbage"},
		{"collector 11 %", func(s *signals) { s.health.GCCPUShare = 0.11 }, Invalid, CauseGenerator, "garbage"},
		{"one port refused", func(s *signals) { s.health.PortsOrFDsRefused = 1 }, Suspect, CauseGenerator, "1 hits found no free port"},
		{"seven of 60,000 ports refused", func(s *signals) { s.health.PortsOrFDsRefused = 7 }, Invalid, CauseGenerator, "port"},
		{"steal 1 %", func(s *signals) { s.health.StealShare = ptr(0.01) }, Suspect, CauseGenerator, "hypervisor"},
		{"steal 3 %", func(s *signals) { s.health.StealShare = ptr(0.03) }, Invalid, CauseGenerator, "hypervisor"},
		{"steal unknown", func(s *signals) { s.health.StealShare = nil }, Valid, "", ""},
		{"worker cap reached, idle, hits late and unsent", func(s *signals) {
			s.health.TicksNoFreeWorker, s.achieved = 40_000, 0.7
			s.health.Lag.P99 = int64(10 * time.Second)
		}, Valid, CauseServerSaturated, "all 256 workers waiting for the server"},
		{"worker cap reached by all, none free of waiting", func(s *signals) {
			s.health.TicksNoFreeWorker, s.health.OwnLag = 60_000, nil
		}, Valid, CauseServerSaturated, "100.0 %"},
		{"worker cap reached, idle, but late on its own account too", func(s *signals) {
			s.health.TicksNoFreeWorker = 40_000
			s.health.OwnLag.P99 = int64(12 * time.Millisecond)
		}, Invalid, CauseGenerator, "own fault"},
		{"worker cap reached while busy", func(s *signals) {
			s.health.TicksNoFreeWorker, s.achieved = 40_000, 0.7
			s.health.CPUShare, s.health.CPUSharePeak = ptr(0.8), ptr(0.84)
		}, Invalid, CauseGenerator, "70.00 %"},
		{"worker cap reached, CPU unknown", func(s *signals) {
			s.health.TicksNoFreeWorker, s.health.CPUShare = 100, nil
		}, Suspect, CauseGenerator, "workers busy"},
		{"worker cap touched by few ticks", func(s *signals) {
			s.health.TicksNoFreeWorker = 60 // 0.1 %
		}, Valid, "", ""},
		{"no cap reached, but the answers fall behind", func(s *signals) { s.halfAnswered = 23_000 }, Valid, CauseServerSaturated, "76.7 %"},
		{"a few answers missing of few", func(s *signals) { s.halfOffered, s.halfAnswered = 30, 21 }, Valid, "", ""},
		{"nothing sent", func(s *signals) {
			s.health.Lag, s.health.OwnLag, s.health.Ticks, s.sent, s.achieved = nil, nil, 0, 0, 0
		}, Invalid, CauseGenerator, "only 0.00 %"},
	} {
		s := healthy()
		c.change(&s)
		h := judge(s)
		if h.Verdict != c.verdict || h.Cause != c.cause {
			t.Errorf("%s: %s, cause %q (%q), want %s, %q", c.name, h.Verdict, h.Cause, h.Reasons, c.verdict, c.cause)
		}
		if c.reason != "" && (len(h.Reasons) == 0 || !strings.Contains(h.Reasons[0], c.reason)) {
			t.Errorf("%s: reasons %q, want the first to say %q", c.name, h.Reasons, c.reason)
		}
		if c.verdict != Valid && len(h.Reasons) == 0 {
			t.Errorf("%s: %s without a reason", c.name, h.Verdict)
		}
	}
}

func TestUsage_ofABusyProcess(t *testing.T) {
	u := startUsage(1, func() time.Duration { return 0 }, 0)
	began, _ := processCPU()
	for used := began; used < began+50*ms; { // not by the clock: a busy machine may give it nothing meanwhile
		used, _ = processCPU()
	}
	got := u.stop()
	if got.cpu == nil || *got.cpu <= 0 {
		t.Errorf("CPU share of a busy process is %v", got.cpu)
	}
}
