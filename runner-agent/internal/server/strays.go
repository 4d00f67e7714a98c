package server

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// markName is the variable by which every process that a server started can be
// told, however it left the server's group: killing the group is not enough.
const markName = "LOOMBOARD_SERVER"

func newMark() string { return markName + "=" + rand.Text() }

// killStrays kills what carries the mark and returns how many there were. It asks
// again until none is left: a process may be starting another just then.
func killStrays(root, mark string) int {
	killed := map[int]bool{}
	for {
		found := marked(root, mark)
		fresh := 0
		for _, pid := range found {
			if !killed[pid] {
				fresh++
			}
			killed[pid] = true
			_ = syscall.Kill(pid, syscall.SIGKILL) // ended meanwhile
		}
		if fresh == 0 {
			return len(killed)
		}
	}
}

// marked are the living processes that carry the mark. Those of other users
// cannot be read, and cannot be ours.
func marked(root, mark string) []int {
	if mark == "" {
		return nil // would be in every environment
	}
	paths, err := filepath.Glob(filepath.Join(root, "proc", "[0-9]*", "environ"))
	if err != nil {
		return nil
	}
	var pids []int
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append(append([]byte{0}, text...), 0), []byte("\x00"+mark+"\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// running are the servers that this process has started and not yet waited for. A process's children are all of its
// goroutines', and so is this.
var running = struct {
	sync.Mutex // held while a server is started, so that it is not taken for a stray before it is listed
	servers    map[int]bool
}{servers: map[int]bool{}}

// adopt has what a server leaves behind become a child of this process, and not of init: whatever environment, group or
// session it has by then, it is found.
func adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// strayWait is for the killed to be gone: one that the kernel cannot end must not hold up what comes next.
const strayWait = 2 * time.Second

// killAdopted kills what a server that has ended left to this process, with all that these have started, and waits for
// it. Nothing else is touched: what runs as the server's user, or where that is this process's own what has left this
// process's group, and began no earlier than the server.
func killAdopted(root string, u *User, sinceTicks uint64) {
	running.Lock()
	defer running.Unlock()
	for deadline := time.Now().Add(strayWait); time.Now().Before(deadline); {
		left := slices.DeleteFunc(children(root, os.Getpid()), func(c child) bool {
			return running.servers[c.pid] || c.startTicks < sinceTicks || !c.isStray(u)
		})
		if len(left) == 0 {
			return
		}
		for _, c := range left {
			_ = syscall.Kill(c.pid, syscall.SIGKILL) // ended meanwhile
		}
		for _, c := range left { // and look again: their own children come to this process now
			reap(c.pid, time.Until(deadline))
		}
	}
}

// reap waits until a child that was killed is gone, so long at most.
func reap(pid int, within time.Duration) {
	if fd, err := unix.PidfdOpen(pid, 0); err == nil {
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, max(0, int(within.Milliseconds())))
		_ = unix.Close(fd)
	}
	_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
}

// child is one of this process's.
type child struct {
	pid, group, uid int
	startTicks      uint64
}

func (c child) isStray(u *User) bool {
	if u != nil {
		return c.uid == u.UID
	}
	return c.group != syscall.Getpgrp() // what else the agent starts stays in its group
}

// children are those of a process, zombies among them.
func children(root string, parent int) []child {
	paths, err := filepath.Glob(filepath.Join(root, "proc", "[0-9]*", "stat"))
	if err != nil {
		return nil
	}
	var all []child
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// The command in parentheses may hold anything, so count from its end.
		fields := strings.Fields(string(text[max(0, bytes.LastIndexByte(text, ')')):]))
		if len(fields) < 21 || fields[2] != strconv.Itoa(parent) {
			continue
		}
		c := child{uid: -1}
		_, err = fmt.Sscan(filepath.Base(filepath.Dir(path))+" "+fields[3]+" "+fields[20], &c.pid, &c.group, &c.startTicks)
		if err != nil {
			continue
		}
		// Not the owner of the folder: a process can have that changed to root.
		status, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "status"))
		for line := range strings.Lines(string(status)) {
			if ids, ok := strings.CutPrefix(line, "Uid:"); ok {
				_, _ = fmt.Sscan(ids, &c.uid)
			}
		}
		all = append(all, c)
	}
	return all
}
