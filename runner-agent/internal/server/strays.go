package server

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
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
