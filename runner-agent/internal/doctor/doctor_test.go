package doctor

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

// healthy is a machine without a single problem: captured from a server with four
// cores, without what the checks do not read.
var healthy = map[string]string{
	"proc/stat":                                            "cpu  100 0 100 10000 0 0 0 0 0 0\n",
	"proc/cpuinfo":                                         "processor : 0\nvendor_id : GenuineIntel\nflags : fpu sse2\n",
	"proc/cmdline":                                         "quiet isolcpus=2-3\n",
	"proc/meminfo":                                         "MemTotal: 65722560 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n",
	"proc/self/limits":                                     "Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 524288               files\n",
	"proc/self/cgroup":                                     "0::/a\n",
	"proc/1/comm":                                          "systemd\n",
	"proc/sys/kernel/numa_balancing":                       "0\n",
	"proc/sys/kernel/randomize_va_space":                   "2\n",
	"proc/sys/net/ipv4/ip_local_port_range":                "32768\t60999\n",
	"proc/sys/net/core/somaxconn":                          "4096\n",
	"proc/self/mountinfo":                                  "30 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
	"sys/fs/cgroup/cgroup.controllers":                     "cpu memory\n",
	"sys/fs/cgroup/a/cgroup.controllers":                   "cpu memory\n",
	"sys/fs/cgroup/a/cpu.max":                              "max 100000\n",
	"sys/devices/system/cpu/smt/control":                   "off\n",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq": "2100000\n",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq": "2100000\n",
	"sys/devices/system/cpu/cpu0/power/energy_perf_bias":   "0\n",
	"sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "0\n",
	"sys/devices/system/cpu/intel_pstate/no_turbo":                        "1\n",
	"sys/devices/system/clocksource/clocksource0/current_clocksource":     "tsc\n",
	"sys/kernel/mm/transparent_hugepage/enabled":                          "always [madvise] never\n",
	"sys/kernel/mm/ksm/run":                                               "0\n",
	"sys/kernel/mm/damon/admin/kdamonds/0/state":                          "on\n",
	"dev/cpu_dma_latency":                                                 "\x00\x00\x00\x00",
}

func init4Cores(files map[string]string) {
	for _, core := range []string{"0", "1", "2", "3"} {
		files["sys/devices/system/cpu/cpu"+core+"/topology/physical_package_id"] = "0\n"
		files["sys/devices/system/cpu/cpu"+core+"/topology/core_id"] = core + "\n"
	}
}

func tree(t *testing.T, changes map[string]string) string {
	t.Helper()
	files := maps.Clone(healthy)
	init4Cores(files)
	maps.Copy(files, changes)
	return testbed.Tree(t, files)
}

// quiet is an idle watch in which nothing happened.
func quiet(t *testing.T, root string) view {
	return view{root: root, home: t.TempDir(), watched: true, cores: &api.CPUSets{Server: api.CPUSet{2, 3}, Load: api.CPUSet{1}, Agent: api.CPUSet{0}}, overshoot: 60 * time.Microsecond,
		before: ticks{busy: 200, all: 10200}, after: ticks{busy: 210, all: 11200}}
}

func states(r api.DoctorReport) map[string]api.DoctorFinding {
	out := map[string]api.DoctorFinding{}
	for _, f := range r.Findings {
		out[f.Check] = f
	}
	return out
}

func TestReport_of_a_healthy_machine_has_no_problem(t *testing.T) {
	r := report(tables(quiet(t, tree(t, nil))))
	for _, f := range r.Findings {
		if f.State != api.CheckOK || f.Why != "" || f.Mend != "" {
			t.Errorf("%+v", f)
		}
	}
	if r.Verdict() != "ok" || len(states(r)) != len(r.Findings) {
		t.Errorf("%s; names: %v", r.Verdict(), r.Findings)
	}
}

// Each change makes exactly the named checks find a problem.
func TestReport_names_exactly_what_is_wrong(t *testing.T) {
	for name, c := range map[string]struct {
		file, content string
		checks        string // in order
		verdict       string
	}{
		"SMT":             {"sys/devices/system/cpu/smt/control", "on", "smt", "warns"},
		"quota":           {"sys/fs/cgroup/a/cpu.max", "50000 100000", "cgroup-throttling", "blocks"},
		"governor of one": {"sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "powersave", "governor", "warns"},
		"turbo":           {"sys/devices/system/cpu/intel_pstate/no_turbo", "0", "turbo", "warns"},
		"lowest clock":    {"sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq", "800000", "frequency-range", "warns"},
		"sleeping cores":  {"dev/cpu_dma_latency", "\x00\x94\x35\x77", "idle-states", "ok"},
		"energy":          {"sys/devices/system/cpu/cpu0/power/energy_perf_bias", "6", "energy-bias", "warns"},
		"hot":             {"sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count", "7", "thermal-throttling", "blocks"},
		"not isolated":    {"proc/cmdline", "quiet", "isolated-cpus", "ok"},
		"hpet":            {"sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet", "clocksource", "warns"},
		"huge pages":      {"sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never", "transparent-huge-pages", "warns"},
		"swap":            {"proc/meminfo", "SwapTotal: 2048 kB\nSwapFree: 2048 kB\n", "swap", "warns"},
		"swapping":        {"proc/meminfo", "SwapTotal: 2048 kB\nSwapFree: 1024 kB\n", "swap swap-used", "blocks"},
		"merging":         {"sys/kernel/mm/ksm/run", "1", "same-page-merging", "warns"},
		"reclaim module":  {"sys/module/damon_reclaim/parameters/enabled", "Y", "proactive-reclaim", "warns"},
		"reclaim scheme":  {"sys/kernel/mm/damon/admin/kdamonds/0/contexts/0/schemes/1/action", "pageout", "proactive-reclaim", "warns"},
		"reclaim stopped": {"sys/kernel/mm/damon/admin/kdamonds/1/contexts/0/schemes/0/action", "pageout", "", "ok"}, // the daemon that runs is 0
		"watched memory":  {"sys/kernel/mm/damon/admin/kdamonds/0/contexts/0/schemes/1/action", "stat", "", "ok"},
		"NUMA":            {"proc/sys/kernel/numa_balancing", "1", "numa-balancing", "warns"},
		"one layout":      {"proc/sys/kernel/randomize_va_space", "0", "address-randomisation", "ok"},
		"descriptors":     {"proc/self/limits", "Max open files            1024                 1024               files\n", "descriptors", "blocks"},
		"ports":           {"proc/sys/net/ipv4/ip_local_port_range", "60000 60999", "ports", "blocks"},
		"backlog":         {"proc/sys/net/core/somaxconn", "128", "listen-backlog", "warns"},
		"irqbalance":      {"proc/77/comm", "irqbalance", "irq-balance", "warns"},
		"profiler":        {"proc/78/comm", "perf", "profilers", "warns"},
		"battery":         {"sys/class/power_supply/AC/online", "0", "power", "ok"},
		"virtual":         {"proc/cpuinfo", "processor : 0\nflags : fpu hypervisor\n", "hypervisor", "ok"},
		"no limits":       {"sys/fs/cgroup/a/cgroup.controllers", "pids", "", "ok"}, // those of the group above serve
	} {
		r := report(tables(quiet(t, tree(t, map[string]string{c.file: c.content}))))
		var wrong []string
		for _, f := range r.Findings {
			if f.State == api.CheckProblem {
				wrong = append(wrong, f.Check)
				if f.Why == "" || f.Found == "" {
					t.Errorf("%s: %+v", name, f)
				}
			}
		}
		if strings.Join(wrong, " ") != c.checks || r.Verdict() != c.verdict {
			t.Errorf("%s: %v (%s), want %s (%s)", name, wrong, r.Verdict(), c.checks, c.verdict)
		}
	}
}

func TestReport_what_only_root_may_read_of_reclaim_is_unknown(t *testing.T) {
	for _, unreadable := range []string{"sys/module/damon_reclaim/parameters/enabled", "sys/kernel/mm/damon/admin/kdamonds/1/state"} {
		root := tree(t, map[string]string{unreadable + "/folder": ""}) // a folder cannot be read by root either
		if f := states(report(tables(quiet(t, root))))["proactive-reclaim"]; f.State != api.CheckUnknown {
			t.Errorf("%s: %+v", unreadable, f)
		}
	}
}

func TestReport_judges_the_idle_watch(t *testing.T) {
	v := quiet(t, tree(t, nil))
	v.after, v.overshoot = ticks{busy: 300, steal: 9, all: 11200}, time.Millisecond
	got := states(report(tables(v)))
	for check, found := range map[string]string{"foreign-cpu": "10.0 %", "steal": "0.90 %", "timer": "1000 µs"} {
		if f := got[check]; f.State != api.CheckProblem || !strings.Contains(f.Found, found) {
			t.Errorf("%s: %+v, must contain %s", check, f, found)
		}
	}
	v.watched = false
	got = states(report(tables(v)))
	for _, check := range []string{"foreign-cpu", "steal", "timer"} {
		if got[check].State != api.CheckUnknown {
			t.Errorf("%s without a watch: %+v", check, got[check])
		}
	}
}

func TestReport_two_cores_cannot_keep_load_and_server_apart(t *testing.T) {
	root := tree(t, nil)
	for _, core := range []string{"2", "3"} {
		if err := os.RemoveAll(filepath.Join(root, "sys/devices/system/cpu/cpu"+core)); err != nil {
			t.Fatal(err)
		}
	}
	v := quiet(t, root)
	v.cores = &api.CPUSets{Shared: "2 cores"}
	r := report(tables(v))
	if f := states(r)["cores"]; f.State != api.CheckProblem || f.Severity != api.Blocks || r.Verdict() != "blocks" {
		t.Errorf("%+v", f)
	}
	if f := states(r)["pinning"]; f.State != api.CheckProblem || f.Severity != api.Warns || !strings.Contains(f.Found, "2 cores") {
		t.Errorf("%+v", f)
	}
	v.cores = &api.CPUSets{Server: api.CPUSet{1}, Load: api.CPUSet{0}, Agent: api.CPUSet{0}}
	r = report(tables(v))
	if f := states(r)["cores"]; f.State != api.CheckOK || !strings.Contains(f.Found, "server 1, load 0, agent 0") {
		t.Errorf("server and load on a core each: %+v", f)
	}
}

func TestReport_of_an_empty_tree_guesses_nothing(t *testing.T) {
	r := report(tables(view{root: t.TempDir()}))
	for _, f := range r.Findings {
		if f.State != api.CheckUnknown || f.Mend != "" {
			t.Errorf("%+v", f)
		}
	}
	if r.Verdict() != "ok" || r.Count(api.CheckUnknown) != len(r.Findings) {
		t.Errorf("%s", r.Verdict())
	}
}

func TestExamine_this_machine(t *testing.T) {
	r := Examine(t.Context(), Input{Root: "/", Idle: 2 * time.Second, Home: t.TempDir()})
	got := states(r)
	for _, check := range []string{"cores", "foreign-cpu", "descriptors", "disk", "timer"} {
		if got[check].State == api.CheckUnknown {
			t.Errorf("%+v", got[check])
		}
	}
}
