package host

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// reader reads files under a root; a file that is not there is no fact.
type reader struct{ root string }

// Read reads the facts of the host whose / is at root.
func Read(root string) Facts {
	r := reader{root}
	info := r.cpuinfo()
	f := Facts{
		Schema: Schema, Arch: runtime.GOARCH, Placement: SameHost,
		CPU:    r.cpu(info),
		Memory: r.memory(),
		Kernel: Kernel{
			Release:         r.text("proc/sys/kernel/osrelease"),
			CmdlineHash:     r.hashOf("proc/cmdline"),
			MitigationsHash: r.hashOfAll("sys/devices/system/cpu/vulnerabilities"),
		},
		Cgroup: r.cgroup(),
		Virt:   r.hypervisor(info),
		Clock:  r.text("sys/devices/system/clocksource/clocksource0/current_clocksource"),
	}
	f.Firmware = Firmware{r.firmware(), info.get("microcode")}
	if mhz := info.get("cpu MHz"); mhz != nil {
		if n, err := strconv.ParseFloat(*mhz, 64); err == nil {
			f.Shown.MHzNow = &n
		}
	}
	f.Shown.MemoryExact = r.meminfo("MemTotal:")
	if exact := f.Shown.MemoryExact; exact != nil {
		const step = 256 << 20
		rounded := (*exact + step/2) / step * step
		f.Memory.Bytes = &rounded
	}
	return f
}

func (r reader) firmware() *string {
	var parts []string
	for _, name := range []string{"bios_vendor", "bios_version", "bios_date"} {
		if part := r.text("sys/class/dmi/id/" + name); part != nil {
			parts = append(parts, *part)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	firmware := strings.Join(parts, " ")
	return &firmware
}

func (r reader) bytes(path string) []byte {
	text, err := os.ReadFile(filepath.Join(r.root, path))
	if err != nil {
		return nil
	}
	return text
}

func (r reader) text(path string) *string {
	text := strings.TrimSpace(string(r.bytes(path)))
	if text == "" {
		return nil
	}
	return &text
}

func (r reader) number(path string) *int {
	text := r.text(path)
	if text == nil {
		return nil
	}
	n, err := strconv.Atoi(*text)
	if err != nil {
		return nil
	}
	return &n
}

func hashText(text []byte) *string {
	sum := sha256.Sum256(text)
	hash := hex.EncodeToString(sum[:8])
	return &hash
}

func (r reader) hashOf(path string) *string {
	if text := r.bytes(path); text != nil {
		return hashText(text)
	}
	return nil
}

// hashOfAll hashes the files of a folder, with their names, in order.
func (r reader) hashOfAll(dir string) *string {
	entries, err := fs.ReadDir(os.DirFS(r.root), dir)
	if err != nil || len(entries) == 0 {
		return nil
	}
	var all bytes.Buffer
	for _, e := range entries {
		all.WriteString(e.Name() + "\x00")
		all.Write(r.bytes(filepath.Join(dir, e.Name())))
	}
	return hashText(all.Bytes())
}

// cpuinfo is the first processor's lines of /proc/cpuinfo, and how many there are.
type cpuinfo struct {
	first map[string]string
	count int
}

func (c cpuinfo) get(names ...string) *string {
	for _, name := range names {
		if v, ok := c.first[name]; ok && v != "" {
			return &v
		}
	}
	return nil
}

func (r reader) cpuinfo() cpuinfo {
	info := cpuinfo{first: map[string]string{}}
	lines := bufio.NewScanner(bytes.NewReader(r.bytes("proc/cpuinfo")))
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), ":")
		name = strings.TrimSpace(name)
		if !ok {
			continue
		}
		if name == "processor" {
			info.count++
		}
		if _, seen := info.first[name]; !seen {
			info.first[name] = strings.TrimSpace(value)
		}
	}
	return info
}

func (r reader) cpu(info cpuinfo) CPU {
	c := CPU{
		// The second names are of 64-bit ARM, which has no model name.
		Vendor:   info.get("vendor_id", "CPU implementer"),
		Model:    info.get("model name", "CPU part"),
		SMT:      r.text("sys/devices/system/cpu/smt/control"),
		Governor: r.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		Turbo:    r.turbo(),
		Allowed:  r.allowed(),
	}
	c.Sockets, c.Cores, c.Threads = r.topology(info.count)
	if flags := info.get("flags", "Features"); flags != nil {
		words := strings.Fields(*flags)
		slices.Sort(words)
		c.FlagsHash = hashText([]byte(strings.Join(words, " ")))
	}
	for _, path := range []string{"base_frequency", "cpuinfo_max_freq"} {
		if khz := r.number("sys/devices/system/cpu/cpu0/cpufreq/" + path); khz != nil && c.BaseMHz == nil {
			mhz := *khz / 1000
			c.BaseMHz = &mhz
		}
	}
	return c
}

// topology counts sockets, physical cores and online threads; without sysfs each
// processor counts as a core.
func (r reader) topology(processors int) (sockets, cores, threads int) {
	paths, err := filepath.Glob(filepath.Join(r.root, "sys/devices/system/cpu/cpu[0-9]*/topology"))
	if err != nil || len(paths) == 0 {
		return 1, processors, processors
	}
	packages, pairs := map[int]bool{}, map[[2]int]bool{}
	for _, path := range paths {
		rel, err := filepath.Rel(r.root, path)
		if err != nil {
			continue
		}
		socket, core := r.number(rel+"/physical_package_id"), r.number(rel+"/core_id")
		if socket == nil || core == nil {
			continue // offline
		}
		threads++
		packages[*socket] = true
		pairs[[2]int{*socket, *core}] = true
	}
	if threads == 0 {
		return 1, processors, processors
	}
	return len(packages), len(pairs), threads
}

func (r reader) turbo() *bool {
	if off := r.number("sys/devices/system/cpu/intel_pstate/no_turbo"); off != nil {
		on := *off == 0
		return &on
	}
	if boost := r.number("sys/devices/system/cpu/cpufreq/boost"); boost != nil {
		on := *boost == 1
		return &on
	}
	return nil
}

func (r reader) allowed() *string {
	for line := range strings.SplitSeq(string(r.bytes("proc/self/status")), "\n") {
		if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			list = strings.TrimSpace(list)
			return &list
		}
	}
	return nil
}

// meminfo is a line of /proc/meminfo in bytes.
func (r reader) meminfo(name string) *int64 {
	for line := range strings.SplitSeq(string(r.bytes("proc/meminfo")), "\n") {
		value, ok := strings.CutPrefix(line, name)
		if !ok {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return nil
		}
		b := kib << 10
		return &b
	}
	return nil
}

func (r reader) memory() Memory {
	m := Memory{THP: r.chosen("sys/kernel/mm/transparent_hugepage/enabled")}
	if total := r.meminfo("SwapTotal:"); total != nil {
		on := *total > 0
		m.Swap = &on
	}
	if nodes, err := filepath.Glob(filepath.Join(r.root, "sys/devices/system/node/node[0-9]*")); err == nil &&
		len(nodes) > 0 {
		n := len(nodes)
		m.NUMANodes = &n
	}
	return m
}

// chosen is the word in brackets of "always [madvise] never".
func (r reader) chosen(path string) *string {
	_, after, ok := strings.Cut(string(r.bytes(path)), "[")
	word, _, closed := strings.Cut(after, "]")
	if !ok || !closed {
		return nil
	}
	return &word
}

func (r reader) hypervisor(info cpuinfo) *string {
	if name := r.text("sys/hypervisor/type"); name != nil {
		return name
	}
	flags := info.get("flags", "Features")
	if flags == nil {
		return nil
	}
	if !slices.Contains(strings.Fields(*flags), "hypervisor") {
		// ARM never shows the flag, so only x86 can say there is none.
		if info.get("flags") == nil {
			return nil
		}
		none := "none"
		return &none
	}
	if vendor := r.text("sys/class/dmi/id/sys_vendor"); vendor != nil {
		return vendor
	}
	unknown := "unknown"
	return &unknown
}

func (r reader) cgroup() Cgroup {
	var c Cgroup
	version, own := "", ""
	for line := range strings.SplitSeq(strings.TrimSpace(string(r.bytes("proc/self/cgroup"))), "\n") {
		parts := strings.SplitN(line, ":", 3)
		switch {
		case len(parts) != 3:
		case parts[0] == "0" && parts[1] == "":
			own = parts[2]
			version = map[string]string{"": "v2", "v1": "hybrid"}[version]
		case version == "v2" || version == "hybrid":
			version = "hybrid"
		default:
			version = "v1"
		}
	}
	if version == "" {
		return c
	}
	c.Version = &version
	if version == "v2" {
		c.CPUMax = r.text("sys/fs/cgroup" + own + "/cpu.max")
		c.MemoryMax = r.text("sys/fs/cgroup" + own + "/memory.max")
	}
	return c
}
