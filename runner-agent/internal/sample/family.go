package sample

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Family reads what a program uses together with all that it starts: a server without a JVM may be of many processes.
// Memory that they share counts for each.
type Family struct {
	root     string
	pid      int
	mark     string
	pageSize float64
	clock    func(pid int) (int64, error)
	members  map[int]bool // of the processes that were seen: whether they are of the family
	highest  [3]float64   // of the counters: they must not fall when a member ends
}

// NewFamily is of the process of that pid under root/proc, of what is in its group or descends from it, and of what has
// the mark in its environment.
func NewFamily(root string, pid int, mark string) *Family {
	return &Family{root: root, pid: pid, mark: mark, pageSize: float64(os.Getpagesize()), clock: CPUNanos, members: map[int]bool{}}
}

// Name of the source.
func (f *Family) Name() string { return "processes" }

// Columns of the source: those of Process and CPUClock.
func (f *Family) Columns() []string {
	return []string{"proc.cpu_user_s", "proc.cpu_sys_s", "proc.cpu_s", "proc.rss_bytes", "proc.threads"}
}

// Pids are the members at the last reading.
func (f *Family) Pids() []int {
	var pids []int
	for pid, member := range f.members {
		if member {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Read sums the living members. What those used that ended is in what their parents waited for.
func (f *Family) Read(dst []float64) error {
	if err := f.look(); err != nil {
		return err
	}
	var counters [3]float64
	var pages, threads float64
	living := 0
	for _, pid := range f.Pids() {
		stat, err := readKin(f.root, pid)
		if err != nil {
			continue // ended meanwhile
		}
		own, waited := stat.user+stat.system, stat.waitedUser+stat.waitedSystem
		counters[0] += (stat.user + stat.waitedUser) / clockTicks
		counters[1] += (stat.system + stat.waitedSystem) / clockTicks
		if nanos, err := f.clock(pid); err == nil {
			counters[2] += float64(nanos)/1e9 + waited/clockTicks
		} else {
			counters[2] += (own + waited) / clockTicks
		}
		if stat.state == 'Z' {
			continue
		}
		living++
		pages += stat.pages
		threads += stat.threads
	}
	if living == 0 {
		return fmt.Errorf("process %d and all that it started have ended", f.pid)
	}
	for i := range counters {
		f.highest[i] = max(f.highest[i], counters[i])
		dst[i] = f.highest[i]
	}
	dst[3], dst[4] = pages*f.pageSize, threads
	return nil
}

// look finds new members and forgets what is gone. Only what is new is looked into, so it costs little.
func (f *Family) look() error {
	entries, err := os.ReadDir(filepath.Join(f.root, "proc"))
	if err != nil {
		return err
	}
	there, fresh := map[int]bool{}, map[int]kin{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		there[pid] = true
		if _, known := f.members[pid]; known {
			continue
		}
		if stat, err := readKin(f.root, pid); err == nil {
			fresh[pid] = stat
			f.members[pid] = pid == f.pid || stat.group == f.pid || f.marked(pid)
		}
	}
	for pid := range f.members {
		if !there[pid] {
			delete(f.members, pid)
		}
	}
	for grown := true; grown; { // a child may be seen before its parent
		grown = false
		for pid, stat := range fresh {
			if !f.members[pid] && f.members[stat.parent] {
				f.members[pid], grown = true, true
			}
		}
	}
	return nil
}

// marked is for what left its parent and its group.
func (f *Family) marked(pid int) bool {
	if f.mark == "" {
		return false
	}
	text, err := os.ReadFile(filepath.Join(f.root, "proc", strconv.Itoa(pid), "environ"))
	return err == nil && bytes.Contains(append(append([]byte{0}, text...), 0), []byte("\x00"+f.mark+"\x00"))
}

// kin is what is used of /proc/<pid>/stat of a member. Times are in clock ticks.
type kin struct {
	state                    byte
	parent, group            int
	user, system             float64
	waitedUser, waitedSystem float64 // of children that ended and were waited for
	threads, pages           float64
}

// readKin counts fields from the end of the command in parentheses, which may hold anything.
func readKin(root string, pid int) (kin, error) {
	path := filepath.Join(root, "proc", strconv.Itoa(pid), "stat")
	text, err := os.ReadFile(path)
	if err != nil {
		return kin{}, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	const state, parent, group, user, threads, pages = 0, 4 - 3, 5 - 3, 14 - 3, 20 - 3, 24 - 3 // numbers of proc(5); the rest begins at 3
	if len(fields) <= pages {
		return kin{}, fmt.Errorf("%s: %w", path, errForm)
	}
	k := kin{state: fields[state][0]}
	var bad error
	number := func(at int) float64 {
		n, err := strconv.ParseFloat(string(fields[at]), 64)
		if err != nil {
			bad = fmt.Errorf("%s: %w", path, err)
		}
		return n
	}
	k.parent, k.group = int(number(parent)), int(number(group))
	k.user, k.system = number(user), number(user+1)
	k.waitedUser, k.waitedSystem = number(user+2), number(user+3)
	k.threads, k.pages = number(threads), number(pages)
	return k, bad
}
