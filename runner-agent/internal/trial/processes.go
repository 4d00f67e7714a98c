package trial

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// processes names those of this machine that are not foreign: the agent, the
// server and the load process, which comes and goes.
type processes struct {
	mu       sync.Mutex
	pids     []int
	expected bool // a load process is about to start and was not seen yet
}

func newProcesses() *processes { return &processes{pids: []int{os.Getpid()}} }

func (p *processes) add(pid int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pids = append(p.pids, pid)
}

// expectChild has the next readings look for a new child. Looking means reading
// all of /proc, so it ends with the first find.
func (p *processes) expectChild() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = true
}

func (p *processes) list() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.expected {
		for _, pid := range childrenOf("/", os.Getpid(), syscall.Getpgrp()) {
			if !slices.Contains(p.pids, pid) {
				p.pids = append(p.pids, pid)
				p.expected = false
			}
		}
	}
	return slices.Clone(p.pids)
}

// childrenOf reads who has that parent and is in that group (0: in any): what a server left behind became this process's
// child, and is in a group of its own. Kernels without CONFIG_PROC_CHILDREN have no shorter way.
func childrenOf(root string, parent, group int) []int {
	entries, err := os.ReadDir(filepath.Join(root, "proc"))
	if err != nil {
		return nil
	}
	var children []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, "proc", e.Name(), "stat"))
		if err != nil {
			continue // ended meanwhile
		}
		// The command in parentheses may hold anything, so count from its end.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) > 2 && string(fields[1]) == strconv.Itoa(parent) && (group == 0 || string(fields[2]) == strconv.Itoa(group)) {
			children = append(children, pid)
		}
	}
	return children
}

// newestFirst sorts folders by when they were last changed.
func newestFirst(paths []string) {
	changed := func(path string) time.Time {
		info, err := os.Stat(path)
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(paths, func(a, b string) int { return changed(b).Compare(changed(a)) })
}
