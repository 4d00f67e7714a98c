package host

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// xeon is a machine of two sockets with all that sysfs can say.
var xeon = map[string]string{
	"proc/cpuinfo": `processor	: 0
vendor_id	: GenuineIntel
model name	: Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz
cpu MHz		: 2794.748
microcode	: 0x5003604
flags		: fpu vme sse avx2

processor	: 1
vendor_id	: GenuineIntel
model name	: Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz
`,
	"proc/meminfo":              "MemTotal:       98834092 kB\nMemFree: 1 kB\nSwapTotal:       2097148 kB\n",
	"proc/sys/kernel/osrelease": "6.12.0-amd64\n",
	"proc/cmdline":              "root=/dev/sda1 quiet\n",
	"proc/self/status":          "Name:\tagent\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\n",
	"proc/self/cgroup":          "0::/system.slice/agent.service\n",
	"sys/fs/cgroup/system.slice/agent.service/cpu.max":                "50000 100000\n",
	"sys/fs/cgroup/system.slice/agent.service/memory.max":             "max\n",
	"sys/devices/system/cpu/smt/control":                              "on\n",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":            "performance\n",
	"sys/devices/system/cpu/cpu0/cpufreq/base_frequency":              "2100000\n",
	"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq":            "3900000\n",
	"sys/devices/system/cpu/intel_pstate/no_turbo":                    "1\n",
	"sys/devices/system/cpu/vulnerabilities/spectre_v2":               "Mitigation: x\n",
	"sys/devices/system/node/node0/cpulist":                           "0-1\n",
	"sys/devices/system/node/node1/cpulist":                           "2-3\n",
	"sys/class/dmi/id/bios_vendor":                                    "Dell Inc.\n",
	"sys/class/dmi/id/bios_version":                                   "2.19.1\n",
	"sys/class/dmi/id/bios_date":                                      "06/13/2024\n",
	"sys/kernel/mm/transparent_hugepage/enabled":                      "always [madvise] never\n",
	"sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
	"sys/devices/system/cpu/cpu0/topology/physical_package_id":        "0\n",
	"sys/devices/system/cpu/cpu0/topology/core_id":                    "0\n",
	"sys/devices/system/cpu/cpu1/topology/physical_package_id":        "0\n",
	"sys/devices/system/cpu/cpu1/topology/core_id":                    "0\n",
	"sys/devices/system/cpu/cpu2/topology/physical_package_id":        "1\n",
	"sys/devices/system/cpu/cpu2/topology/core_id":                    "0\n",
	"sys/devices/system/cpu/cpu3/topology/physical_package_id":        "1\n",
	"sys/devices/system/cpu/cpu3/topology/core_id":                    "0\n",
}

// tree is that host with some files changed; an empty content removes one.
func tree(t *testing.T, changes map[string]string) string {
	t.Helper()
	files := maps.Clone(xeon)
	maps.Copy(files, changes)
	maps.DeleteFunc(files, func(_, content string) bool { return content == "" })
	return testbed.Tree(t, files)
}

func hashes(t *testing.T, f Facts) (hash, class string) {
	t.Helper()
	hash, err := f.Hash()
	if err != nil {
		t.Fatal(err)
	}
	if class, err = f.ClassHash(); err != nil {
		t.Fatal(err)
	}
	return hash, class
}

func TestRead_a_machine_of_two_sockets(t *testing.T) {
	f := Read(tree(t, nil))
	f.Arch = "amd64"
	f.CPU.FlagsHash, f.Kernel.CmdlineHash, f.Kernel.MitigationsHash = nil, nil, nil
	got, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"schema":"loomboard.host/2","arch":"amd64","cpu":{"vendor":"GenuineIntel","model":"Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz",` +
		`"sockets":2,"cores":2,"threads":4,"smt":"on","flagsHash":null,"baseMhz":2100,"governor":"performance","turbo":false,"allowed":"0-3"},` +
		`"memory":{"bytes":101200166912,"numaNodes":2,"thp":"madvise","swap":true},` +
		`"kernel":{"release":"6.12.0-amd64","cmdlineHash":null,"mitigationsHash":null},` +
		`"cgroup":{"version":"v2","cpuMax":"50000 100000","memoryMax":"max"},"hypervisor":"none","clocksource":"tsc","placement":"same-host",` +
		`"firmware":{"system":"Dell Inc. 2.19.1 06/13/2024","microcode":"0x5003604"},"shown":{"mhzNow":2794.748,"memoryExact":101206110208}}`
	if string(got) != want {
		t.Errorf("facts\n%s, want\n%s", got, want)
	}
	if label := f.Label(); label != "2 × Intel Xeon Gold 6230, 2 cores (4 threads), 96 GiB, load on the same host" {
		t.Errorf("label %q", label)
	}
}

// Boards go on when the fingerprint learns a fact: this is the class of loomboard.host/1.
func TestClassHash_stays(t *testing.T) {
	f := Read(tree(t, nil))
	f.Arch = "amd64"
	const want = "493a2bbf9bda334da5d83f1701a83f6521df88fbc67ac9f7fe6b65b2c310b8e6"
	if _, class := hashes(t, f); class != want {
		t.Errorf("class %s, was %s", class, want)
	}
}

func TestHash_changes_with_what_decides_and_with_nothing_else(t *testing.T) {
	hash, class := hashes(t, Read(tree(t, nil)))
	for name, c := range map[string]struct {
		changes             map[string]string
		sameHash, sameClass bool
	}{
		"nothing":              {nil, true, true},
		"clock speed just now": {map[string]string{"proc/cpuinfo": strings.ReplaceAll(xeon["proc/cpuinfo"], "2794.748", "801.5")}, true, true},
		"firmware":             {map[string]string{"sys/class/dmi/id/bios_version": "2.20.0\n"}, false, true},
		"microcode":            {map[string]string{"proc/cpuinfo": strings.ReplaceAll(xeon["proc/cpuinfo"], "0x5003604", "0x5003605")}, false, true},
		"a little memory":      {map[string]string{"proc/meminfo": "MemTotal: 98830000 kB\nSwapTotal: 2097148 kB\n"}, true, true},
		"order of flags":       {map[string]string{"proc/cpuinfo": strings.ReplaceAll(xeon["proc/cpuinfo"], "vme sse", "sse vme")}, true, true},
		"a flag":               {map[string]string{"proc/cpuinfo": strings.ReplaceAll(xeon["proc/cpuinfo"], " avx2", "")}, false, true},
		"governor":             {map[string]string{"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave"}, false, true},
		"turbo":                {map[string]string{"sys/devices/system/cpu/intel_pstate/no_turbo": "0"}, false, true},
		"unreadable governor":  {map[string]string{"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": ""}, false, true},
		"kernel":               {map[string]string{"proc/sys/kernel/osrelease": "6.12.1-amd64"}, false, true},
		"kernel options":       {map[string]string{"proc/cmdline": "root=/dev/sda1 mitigations=off"}, false, true},
		"mitigations":          {map[string]string{"sys/devices/system/cpu/vulnerabilities/spectre_v2": "Vulnerable"}, false, true},
		"THP":                  {map[string]string{"sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never"}, false, true},
		"cgroup limit":         {map[string]string{"sys/fs/cgroup/system.slice/agent.service/cpu.max": "max 100000"}, false, true},
		"CPU set":              {map[string]string{"proc/self/status": "Cpus_allowed_list:\t0\n"}, false, true},
		"hypervisor":           {map[string]string{"proc/cpuinfo": strings.ReplaceAll(xeon["proc/cpuinfo"], "avx2", "avx2 hypervisor")}, false, true},
		"clock source":         {map[string]string{"sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet"}, false, true},
		"swap":                 {map[string]string{"proc/meminfo": "MemTotal: 98834092 kB\nSwapTotal: 0 kB\n"}, false, true},
		"SMT off":              {map[string]string{"sys/devices/system/cpu/smt/control": "off"}, false, true},
		"a core less":          {map[string]string{"sys/devices/system/cpu/cpu3/topology/core_id": "", "sys/devices/system/cpu/cpu3/topology/physical_package_id": ""}, false, false},
		"half the memory":      {map[string]string{"proc/meminfo": "MemTotal: 49400000 kB\nSwapTotal: 2097148 kB\n"}, false, false},
		"another CPU":          {map[string]string{"proc/cpuinfo": strings.ReplaceAll(xeon["proc/cpuinfo"], "6230", "6330")}, false, false},
	} {
		h, c2 := hashes(t, Read(tree(t, c.changes)))
		if (h == hash) != c.sameHash || (c2 == class) != c.sameClass {
			t.Errorf("%s: same fingerprint %v, same class %v; want %v and %v", name, h == hash, c2 == class, c.sameHash, c.sameClass)
		}
	}
	for placement, label := range map[string]string{TwoHosts: "from another host", Pinned: "on cores of its own"} {
		placed := Read(tree(t, nil))
		placed.Placement = placement
		if h, c := hashes(t, placed); h == hash || c == class || !strings.HasSuffix(placed.Label(), label) {
			t.Errorf("placement %s decides nothing: %s", placement, placed.Label())
		}
	}
}

func TestRead_an_empty_tree_has_no_facts_and_a_hash(t *testing.T) {
	f := Read(t.TempDir())
	if f.CPU.Model != nil || f.Memory.Bytes != nil || f.Virt != nil || f.CPU.Turbo != nil {
		t.Errorf("facts out of nothing: %+v", f)
	}
	hash, class := hashes(t, f)
	if len(hash) != 64 || len(class) != 64 || !strings.HasPrefix(f.Label(), "unknown CPU") || !strings.Contains(f.Label(), "unknown memory") {
		t.Errorf("%s %s %q", hash, class, f.Label())
	}
}

func TestCgroup_versions(t *testing.T) {
	for content, want := range map[string]string{
		"0::/x\n":                           "v2",
		"2:cpu:/\n1:memory:/\n":             "v1",
		"9:name=systemd:/\n1:cpu:/\n0::/\n": "hybrid",
		"0::/\n1:cpu:/\n":                   "hybrid",
	} {
		got := Read(tree(t, map[string]string{"proc/self/cgroup": content})).Cgroup.Version
		if got == nil || *got != want {
			t.Errorf("%q: %v, want %s", content, got, want)
		}
	}
}

func TestMemory_is_the_size_it_was_sold_as(t *testing.T) {
	for kib, want := range map[int64]int{24684092: 24, 65722560: 64, 16302732: 16, 8041000: 8, 2014000: 2, 32800000: 32, 131900000: 128, 72000000: 69} {
		b := kib << 10
		if got := (Facts{Memory: Memory{Bytes: &b}}).memoryGiB(); got != want {
			t.Errorf("%d kB: %d GiB, want %d", kib, got, want)
		}
	}
}

func TestRead_this_machine(t *testing.T) {
	f := Read("/")
	if f.CPU.Threads < 1 || f.Memory.Bytes == nil || f.Kernel.Release == nil {
		t.Errorf("%+v", f)
	}
	a, _ := hashes(t, f)
	if b, _ := hashes(t, Read("/")); a != b {
		t.Error("two readings of one machine differ")
	}
}
