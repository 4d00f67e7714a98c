package doctor

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/host"
	"loomboard.dev/agent/internal/limits"
)

// tables are all checks, in the order they are shown, with the machine they look at.
func tables(v view) ([]check, view) {
	return slices.Concat(cpuChecks, clockChecks, memoryChecks, networkChecks, placeChecks), v
}

// is turns "is it as it should be" into a state; what was not read is unknown.
func is(read, good bool, format string, args ...any) (api.CheckState, string) {
	switch {
	case !read:
		return api.CheckUnknown, "cannot be read here"
	case good:
		return api.CheckOK, fmt.Sprintf(format, args...)
	}
	return api.CheckProblem, fmt.Sprintf(format, args...)
}

// Bounds of the idle watch, shares of all CPU time.
const (
	mostForeign = 0.02
	mostSteal   = 0.005
)

// mostWake is what a core may take to wake: deeper sleep takes tens to hundreds of µs.
const mostWake = 10 * time.Microsecond

// noLimit is what the kernel gives when nobody asked.
const noLimit = 2000 * time.Second

// leastCores is how many physical cores a server, the load and the agent need to be apart.
const leastCores = 3

var cpuChecks = []check{
	{"cores", api.Blocks, "the load generator and the server compete for the same cores, so one slows the other",
		"use a machine of 4 or more physical cores, or drive the load from another host (loomboard-agent serve)",
		func(v view) (api.CheckState, string) {
			f := host.Read(v.root)
			if v.twoHosts {
				return api.CheckOK, "load comes from another host"
			}
			if v.cores != nil && v.cores.Apart() {
				return api.CheckOK, fmt.Sprintf("%d physical cores: %v", f.CPU.Cores, *v.cores)
			}
			return is(f.CPU.Cores > 0, f.CPU.Cores >= leastCores, "%d physical cores", f.CPU.Cores)
		}},
	{"pinning", api.Warns, "server, load and agent may run on any core, so the kernel moves them about and one delays the other",
		`on 4 or more cores leave "pin" out of agent.json; on 2 or 3 set it to "apart"`,
		func(v view) (api.CheckState, string) {
			switch {
			case v.twoHosts:
				return api.CheckOK, "load comes from another host"
			case v.cores == nil:
				return api.CheckUnknown, "was not asked for"
			}
			return is(true, v.cores.Apart(), "%v", *v.cores)
		}},
	{"smt", api.Warns, "two threads of one core slow each other in ways that change from run to run",
		"echo off | sudo tee /sys/devices/system/cpu/smt/control",
		func(v view) (api.CheckState, string) {
			smt := v.text("sys/devices/system/cpu/smt/control")
			return is(smt != "", smt != "on", "%s", smt)
		}},
	{"cgroup-throttling", api.Blocks, "the agent, and a server with no limits of its own, run under a CPU quota that no matrix declares",
		"remove the CPU quota of the agent's unit or container (systemctl set-property <unit> CPUQuota=)",
		func(v view) (api.CheckState, string) {
			quota, read := limits.OwnQuota(v.root)
			return is(read, quota == "", "%s", cmp.Or(quota, "no CPU quota"))
		}},
	{"foreign-cpu", api.Blocks, "other programs use the CPU while the agent does nothing",
		"stop what `top` shows before measuring",
		func(v view) (api.CheckState, string) {
			share, ok := v.share(func(t ticks) uint64 { return t.busy })
			return is(ok, share <= mostForeign, "%.1f %% of all CPU time while idle", share*100)
		}},
	{"steal", api.Warns, "the hypervisor gives this machine's CPU time to others",
		"use a machine or instance type with dedicated cores",
		func(v view) (api.CheckState, string) {
			share, ok := v.share(func(t ticks) uint64 { return t.steal })
			return is(ok, share <= mostSteal, "%.2f %% of all CPU time stolen", share*100)
		}},
	{"governor", api.Warns, "the clock follows the load, so what is measured depends on what ran before",
		"sudo cpupower frequency-set -g performance",
		func(v view) (api.CheckState, string) {
			found := values(v.texts("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"))
			return is(len(found) > 0, slices.Equal(found, []string{"performance"}), "%s", strings.Join(found, ", "))
		}},
	{"turbo", api.Warns, "turbo depends on temperature and on what other cores do",
		"echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo  (or: echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost)",
		func(v view) (api.CheckState, string) {
			turbo := host.Read(v.root).CPU.Turbo
			return is(turbo != nil, turbo != nil && !*turbo, "%s",
				map[bool]string{true: "on", false: "off"}[turbo != nil && *turbo])
		}},
	{"frequency-range", api.Warns, "the kernel may lower the clock between requests",
		"sudo cpupower frequency-set -d <highest> -u <highest>",
		func(v view) (api.CheckState, string) {
			low, okLow := v.number("sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq")
			high, okHigh := v.number("sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq")
			return is(okLow && okHigh, low == high, "%d to %d MHz", low/1000, high/1000)
		}},
	{"idle-states", api.Info, "cores may sleep between requests and take time to wake; on a virtual machine that can show as steal",
		`hold it at 0 while measuring: sudo sh -c 'exec 3>/dev/cpu_dma_latency; printf "\0\0\0\0" >&3; exec sleep infinity' &`,
		func(v view) (api.CheckState, string) {
			allowed, ok := v.wakeLatency()
			if allowed >= noLimit {
				return api.CheckProblem, "nobody asked the kernel to keep cores awake"
			}
			return is(ok, allowed <= mostWake, "a core may take %v to wake", allowed)
		}},
	{"energy-bias", api.Warns, "the CPU saves energy at the cost of latency",
		"sudo cpupower set -b 0",
		func(v view) (api.CheckState, string) {
			bias, ok := v.number("sys/devices/system/cpu/cpu0/power/energy_perf_bias")
			return is(ok, bias == 0, "%d (0 is for performance, 15 for energy)", bias)
		}},
	{"thermal-throttling", api.Blocks, "the CPU was too hot and lowered its clock",
		"clean the fans, lower the room's temperature, or wait; counts start at 0 after a reboot",
		func(v view) (api.CheckState, string) {
			counts := v.texts("sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/package_throttle_count")
			hot := values(counts)
			return is(len(counts) > 0, slices.Equal(hot, []string{"0"}), "%s times since boot", strings.Join(hot, ", "))
		}},
	{"isolated-cpus", api.Info, "no core is kept free of the kernel's other work, which widens the tail", "",
		func(v view) (api.CheckState, string) {
			cmdline := v.text("proc/cmdline")
			return is(cmdline != "", strings.Contains(cmdline, "isolcpus=") || strings.Contains(cmdline, "nohz_full="),
				"%s",
				map[bool]string{true: "isolated by kernel options", false: "none isolated"}[strings.Contains(cmdline, "isolcpus=")])
		}},
}

var clockChecks = []check{
	{"clocksource", api.Warns, "reading the time is slow or coarse, and the load generator reads it for every hit",
		"boot with clocksource=tsc tsc=reliable, if the hardware allows it",
		func(v view) (api.CheckState, string) {
			source := v.text("sys/devices/system/clocksource/clocksource0/current_clocksource")
			// kvm-clock reads the same counter and is as fast.
			return is(source != "", slices.Contains([]string{"tsc", "kvm-clock", "arch_sys_counter"}, source), "%s",
				source)
		}},
	{"timer", api.Warns, "threads wake later than asked, so hits are sent late", "",
		func(v view) (api.CheckState, string) {
			return is(v.watched, v.overshoot <= 100*time.Microsecond, "wakes up to %d µs late (p99 of %d)",
				v.overshoot.Microseconds(), timerProbes)
		}},
}

var memoryChecks = []check{
	{"transparent-huge-pages", api.Warns, "the kernel merges pages behind the JVM's back, at times of its own",
		"echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
		func(v view) (api.CheckState, string) {
			mode := v.chosen("sys/kernel/mm/transparent_hugepage/enabled")
			return is(mode != "", mode != "always", "%s", mode)
		}},
	{"swap", api.Warns, "a heap that was swapped out makes pauses that no JVM causes",
		"sudo swapoff -a",
		func(v view) (api.CheckState, string) {
			total, ok := v.field("proc/meminfo", "SwapTotal")
			return is(ok, total == 0, "%d MiB", total>>10)
		}},
	{"swap-used", api.Blocks, "memory is swapped out now",
		"stop what uses the memory, then: sudo swapoff -a",
		func(v view) (api.CheckState, string) {
			total, ok := v.field("proc/meminfo", "SwapTotal")
			free, okFree := v.field("proc/meminfo", "SwapFree")
			return is(ok && okFree, total == free, "%d MiB", (total-free)>>10)
		}},
	{"same-page-merging", api.Warns, "the kernel scans memory for equal pages",
		"echo 0 | sudo tee /sys/kernel/mm/ksm/run",
		func(v view) (api.CheckState, string) {
			run, ok := v.number("sys/kernel/mm/ksm/run")
			return is(ok, run != 1, "%s", map[bool]string{true: "on", false: "off"}[run == 1])
		}},
	{"proactive-reclaim", api.Warns, "the kernel pages out memory that was not used for a while, so that one start reads its files from disk and the next from memory",
		"stop it while measuring: sudo sh -c 'for f in /sys/kernel/mm/damon/admin/kdamonds/*/state; do [ ! -e $f ] || echo off > $f; done; f=/sys/module/damon_reclaim/parameters/enabled; [ ! -e $f ] || echo N > $f'",
		func(v view) (api.CheckState, string) {
			reclaims, read := v.reclaims()
			return is(read, !reclaims, "%s",
				map[bool]string{true: "DAMON pages out what is cold", false: "none"}[reclaims])
		}},
	{"numa-balancing", api.Warns, "the kernel moves pages between nodes while they are used",
		"sudo sysctl kernel.numa_balancing=0",
		func(v view) (api.CheckState, string) {
			on, ok := v.number("proc/sys/kernel/numa_balancing")
			return is(ok, on == 0, "%s", map[bool]string{true: "off", false: "on"}[on == 0])
		}},
	{"address-randomisation", api.Info, "layouts do not vary between JVMs, so one lucky layout is measured again and again",
		"sudo sysctl kernel.randomize_va_space=2",
		func(v view) (api.CheckState, string) {
			level, ok := v.number("proc/sys/kernel/randomize_va_space")
			return is(ok, level == 2, "%d", level)
		}},
}

// What a run may need: 16 384 connections, and as many descriptors twice.
const (
	leastDescriptors = 4096
	leastPorts       = 16_384
	leastBacklog     = 1024
	leastDisk        = 1 << 30
)

var networkChecks = []check{
	{"descriptors", api.Blocks, "connections beyond the limit are refused, and the generator is blamed for it",
		"raise the limit before the agent starts: ulimit -n 65536 (LimitNOFILE= in a unit)",
		func(v view) (api.CheckState, string) {
			for line := range strings.SplitSeq(v.text("proc/self/limits"), "\n") {
				if value, ok := strings.CutPrefix(line, "Max open files"); ok {
					fields := strings.Fields(value)
					var hard int64 = math.MaxInt64
					if len(fields) > 1 && fields[1] != "unlimited" {
						if _, err := fmt.Sscan(fields[1], &hard); err != nil {
							return api.CheckUnknown, "cannot be read here"
						}
					}
					return is(len(fields) > 1, hard >= leastDescriptors, "%s at most", strings.Join(fields[1:2], ""))
				}
			}
			return api.CheckUnknown, "cannot be read here"
		}},
	{"ports", api.Blocks, "outgoing connections run out of ports",
		"sudo sysctl net.ipv4.ip_local_port_range='32768 60999'",
		func(v view) (api.CheckState, string) {
			var low, high int
			_, err := fmt.Sscan(v.text("proc/sys/net/ipv4/ip_local_port_range"), &low, &high)
			return is(err == nil, high-low >= leastPorts, "%d to %d", low, high)
		}},
	{"listen-backlog", api.Warns, "connections that arrive at once are dropped and come again a second later",
		"sudo sysctl net.core.somaxconn=4096",
		func(v view) (api.CheckState, string) {
			n, ok := v.number("proc/sys/net/core/somaxconn")
			return is(ok, n >= leastBacklog, "%d", n)
		}},
	{"irq-balance", api.Warns, "interrupts move between cores while a step is measured",
		"sudo systemctl stop irqbalance",
		func(v view) (api.CheckState, string) {
			found, ok := v.running("irqbalance")
			return is(ok, len(found) == 0, "%s", cmp.Or(strings.Join(found, ", "), "does not run"))
		}},
}

var placeChecks = []check{
	{"profilers", api.Warns, "a profiler samples this machine", "stop it",
		func(v view) (api.CheckState, string) {
			found, ok := v.running("perf", "bpftrace", "bcc", "async-profiler", "strace", "gdb")
			return is(ok, len(found) == 0, "%s", cmp.Or(strings.Join(found, ", "), "none run"))
		}},
	{"power", api.Info, "a battery lowers the clock when it is not charged", "connect the mains",
		func(v view) (api.CheckState, string) {
			online := values(v.texts("sys/class/power_supply/A*/online"))
			batteries := v.texts("sys/class/power_supply/BAT*/status")
			if _, readable := v.ticks(); readable && len(online)+len(batteries) == 0 {
				return api.CheckOK, "no battery"
			}
			return is(len(online) > 0, slices.Equal(online, []string{"1"}), "mains online: %s",
				strings.Join(online, ", "))
		}},
	{"hypervisor", api.Info, "neighbours on the same hardware cannot be seen from here", "",
		func(v view) (api.CheckState, string) {
			virt := host.Read(v.root).Virt
			return is(virt != nil, virt != nil && *virt == "none", "%s", deref(virt))
		}},
	{"limits", api.Info, "matrices that limit a server's CPU or memory are refused here", "",
		func(v view) (api.CheckState, string) {
			if v.text("proc/self/cgroup") == "" {
				return api.CheckUnknown, "cannot be read here"
			}
			h, err := limits.Find(v.root)
			if err != nil {
				return api.CheckProblem, err.Error()
			}
			return api.CheckOK, "by " + h.String()
		}},
	{"disk", api.Blocks, "results and the JVM's logs find no room", "make room where the agent keeps its files",
		func(v view) (api.CheckState, string) {
			var fs syscall.Statfs_t
			if v.home == "" || syscall.Statfs(existing(v.home), &fs) != nil {
				return api.CheckUnknown, "cannot be read here"
			}
			free := fs.Bavail * uint64(fs.Bsize)
			return is(true, free >= leastDisk, "%d MiB free", free>>20)
		}},
}

// share is a part of all CPU time during the idle watch.
func (v view) share(of func(ticks) uint64) (float64, bool) {
	all := v.after.all - v.before.all
	if !v.watched || v.after.all <= v.before.all {
		return 0, false
	}
	return float64(of(v.after)-of(v.before)) / float64(all), true
}

// values are the distinct values, in order.
func values(texts map[string]string) []string {
	var out []string
	for _, text := range texts {
		out = append(out, text)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// existing is the path, or the nearest folder above it that there is.
func existing(path string) string {
	for {
		var fs syscall.Stat_t
		if syscall.Stat(path, &fs) == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
