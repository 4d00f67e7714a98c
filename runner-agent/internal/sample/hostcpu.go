package sample

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// hostTicks is the first line of /proc/stat, in clock ticks, and of how many CPUs it is. Only idle and iowait are measured: what the
// others say is sampled by the kernel's timer on most kernels, and a load whose requests come in step with that timer is seen too often or too rarely.
type hostTicks struct {
	user, nice, system, idle, iowait, irq, softirq, steal uint64
	cpus                                                  int
}

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
	t.cpus = bytes.Count(text, []byte("\ncpu"))
	return t, nil
}

// lookEvery is a little less than the second at which scored trials sample, so that none of their readings is of the one before.
const lookEvery = 900 * time.Millisecond

// HostCPU reads how the host's CPUs spent their time: what a hypervisor stole,
// and what neither server nor agent used.
type HostCPU struct {
	root    string
	foreign foreign
	every   time.Duration // between two looks at all processes
	looked  time.Time
	last    float64
}

// foreign is the CPU time of programs that are none of ours.
type foreign interface {
	// used is that since the first call, in seconds; NaN: not known.
	used(host hostTicks) (float64, error)
}

// NewHostCPU reads root/proc; own names the processes that are not foreign, beside all that descend from them. It
// is asked at every look, since the load generator comes and goes.
func NewHostCPU(root string, own func() []int) *HostCPU {
	h := &HostCPU{root: root, every: lookEvery, last: Missing}
	if seesAll(root) {
		h.foreign = &otherProcesses{root: root, own: own, ours: map[uint64]bool{}}
	} else {
		h.foreign = &notIdle{root: root, own: own, last: map[int]procStat{}, now: time.Now}
	}
	return h
}

// Name of the source.
func (h *HostCPU) Name() string { return "host CPU" }

// Columns of the source.
func (h *HostCPU) Columns() []string { return []string{"host.steal_s", "host.foreign_cpu_s"} }

// Read fills one value per column. The second is as of the last look: all processes of a host are too many to look at ten times a second.
func (h *HostCPU) Read(dst []float64) error {
	host, err := readHostTicks(h.root)
	if err != nil {
		return err
	}
	dst[0] = float64(host.steal) / clockTicks
	now := time.Now()
	if !h.looked.IsZero() && now.Sub(h.looked) < h.every {
		dst[1] = h.last
		return nil
	}
	h.looked = now
	h.last, err = h.foreign.used(host)
	dst[1] = h.last
	return partial(err)
}
