package sample

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// hostTicks is the first line of /proc/stat, in clock ticks.
type hostTicks struct {
	user, nice, system, idle, iowait, irq, softirq, steal uint64
}

// busy is the time spent on processes of this machine. Guest time is part of user.
func (t hostTicks) busy() uint64 { return t.user + t.nice + t.system }

func readHostTicks(root string) (hostTicks, error) {
	path := filepath.Join(root, "proc", "stat")
	text, err := os.ReadFile(path)
	if err != nil {
		return hostTicks{}, err
	}
	value, ok := line(text, "cpu ")
	fields := bytes.Fields(value)
	if !ok || len(fields) < 8 {
		return hostTicks{}, fmt.Errorf("%s: no line of all CPUs: %w", path, errForm)
	}
	var t hostTicks
	for i, out := range []*uint64{&t.user, &t.nice, &t.system, &t.idle, &t.iowait, &t.irq, &t.softirq, &t.steal} {
		if err := number(fields[i], out); err != nil {
			return hostTicks{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	return t, nil
}

// HostCPU reads how the host's CPUs spent their time: what a hypervisor stole,
// and what neither server nor agent used. Interrupts count for nobody: most are of our own
// packets, and the kernel does not say whose they are.
type HostCPU struct {
	root string
	own  func() []int
	last map[int]procStat
}

// NewHostCPU reads root/proc; own names the processes that are not foreign. It
// is asked at every reading, since the load generator comes and goes.
func NewHostCPU(root string, own func() []int) *HostCPU {
	return &HostCPU{root: root, own: own, last: map[int]procStat{}}
}

// Name of the source.
func (h *HostCPU) Name() string { return "host CPU" }

// Columns of the source.
func (h *HostCPU) Columns() []string { return []string{"host.steal_s", "host.foreign_cpu_s"} }

// Read fills one value per column.
func (h *HostCPU) Read(dst []float64) error {
	// Ours first: what runs in between then counts as foreign, not as negative.
	ours, errOurs := h.ours()
	total, err := readHostTicks(h.root)
	if err != nil {
		return err
	}
	dst[0] = float64(total.steal) / clockTicks
	if errOurs == nil && ours <= total.busy() {
		dst[1] = float64(total.busy()-ours) / clockTicks
	}
	return partial(errOurs)
}

// ours is the CPU time of our processes, the ended ones with their last reading:
// what they used does not become foreign when they are gone.
func (h *HostCPU) ours() (uint64, error) {
	for _, pid := range h.own() {
		now, err := readProcStat(h.root, pid)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		h.last[pid] = now
	}
	var sum uint64
	for _, s := range h.last {
		sum += s.userTicks + s.systemTicks
	}
	return sum, nil
}
