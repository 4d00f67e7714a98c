// Package cores keeps the server, the load process and the agent on CPUs apart from
// each other, where a machine has enough of them.
package cores

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// Mode is what a machine's owner wants.
type Mode string

// Auto keeps them apart from four cores on. Apart insists, from two cores on; with
// fewer than three the load process and the agent share one. Shared pins nothing.
const (
	Auto   Mode = "auto"
	Apart  Mode = "apart"
	Shared Mode = "shared"
)

// ParseMode of nothing is Auto.
func ParseMode(text string) (Mode, error) {
	mode := cmp.Or(Mode(text), Auto)
	if !slices.Contains([]Mode{Auto, Apart, Shared}, mode) {
		return "", fmt.Errorf("pinning is %q, must be %s, %s or %s", text, Auto, Apart, Shared)
	}
	return mode, nil
}

// Cores that Auto and Apart need, physical ones.
const (
	enough    = 4
	least     = 2
	threeWays = 3
	mostLoad  = 4 // more the load process does not use
)

// Divide lays the cores out that this process may use: the agent takes the first,
// where interrupts mostly are, then the load process a quarter, and the server the
// rest. Threads of one core stay together.
func Divide(root string, mode Mode) (api.CPUSets, error) {
	if mode == Shared {
		return api.CPUSets{Shared: "the machine's owner wants it so"}, nil
	}
	all, err := physical(root)
	n := len(all)
	switch {
	case err != nil && mode == Auto:
		return api.CPUSets{Shared: err.Error()}, nil
	case err != nil:
		return api.CPUSets{}, fmt.Errorf("server and load cannot be kept apart: %w", err)
	case mode == Auto && n < enough:
		return api.CPUSets{Shared: fmt.Sprintf("%s, keeping them apart by itself needs %d", count(n), enough)}, nil
	case n < least:
		return api.CPUSets{}, fmt.Errorf("server and load cannot be kept apart on %s; set pinning to %q or %q",
			count(n), Auto, Shared)
	case n < threeWays:
		return api.CPUSets{Agent: all[0], Load: all[0], Server: join(all[1:])}, nil
	}
	load := min(mostLoad, max(1, n/enough))
	return api.CPUSets{Agent: all[0], Load: join(all[1 : 1+load]), Server: join(all[1+load:])}, nil
}

func count(n int) string {
	if n == 1 {
		return "1 core"
	}
	return fmt.Sprintf("%d cores", n)
}

func join(cores []api.CPUSet) api.CPUSet {
	set := slices.Concat(cores...)
	slices.Sort(set)
	return set
}

// physical are the cores this process may use, each with its threads.
func physical(root string) ([]api.CPUSet, error) {
	allowed, err := allowed(root)
	if err != nil {
		return nil, err
	}
	var order []string
	cores := map[string]api.CPUSet{}
	for _, cpu := range allowed {
		topology := filepath.Join(root, "sys/devices/system/cpu", "cpu"+strconv.Itoa(cpu), "topology")
		at := "cpu" + strconv.Itoa(cpu) // without sysfs each is a core
		socket, err1 := os.ReadFile(filepath.Join(topology, "physical_package_id"))
		core, err2 := os.ReadFile(filepath.Join(topology, "core_id"))
		if err1 == nil && err2 == nil {
			at = strings.TrimSpace(string(socket)) + "/" + strings.TrimSpace(string(core))
		}
		if cores[at] == nil {
			order = append(order, at)
		}
		cores[at] = append(cores[at], cpu)
	}
	out := make([]api.CPUSet, len(order))
	for i, at := range order {
		out[i] = cores[at]
	}
	return out, nil
}

// allowed are the CPUs this process may use, ascending. It is asked of the whole
// process, before any of its threads is moved.
func allowed(root string) (api.CPUSet, error) {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/status"))
	if err != nil {
		return nil, fmt.Errorf("which CPUs there are cannot be read: %w", err)
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			var set api.CPUSet
			return set, set.UnmarshalText([]byte(strings.TrimSpace(list)))
		}
	}
	return nil, errors.New("which CPUs there are cannot be read: no Cpus_allowed_list in proc/self/status")
}
