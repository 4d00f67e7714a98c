package sample

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// clockTicks is USER_HZ, the unit of times in /proc: 100 on every architecture
// that HotSpot is measured on, whatever the kernel's own HZ.
const clockTicks = 100

var (
	errForm = errors.New("unexpected form")
)

// procStat is what is used of /proc/<pid>/stat.
type procStat struct {
	parent                 uint64
	userTicks, systemTicks uint64
	childTicks             [2]uint64 // user and system, of children that ended and were waited for
	startTicks             uint64
}

// readProcStat reads one process's stat. The command in parentheses may hold
// anything, so fields are counted from its end.
func readProcStat(root string, pid int) (procStat, error) {
	path := filepath.Join(root, "proc", strconv.Itoa(pid), "stat")
	text, err := os.ReadFile(path)
	if err != nil {
		return procStat{}, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	const parent, user, system, childUser, childSystem, start = 4 - 3, 14 - 3, 15 - 3, 16 - 3, 17 - 3, 22 - 3 // numbers of proc(5); the rest begins at 3
	if len(fields) <= start {
		return procStat{}, fmt.Errorf("%s: %w", path, errForm)
	}
	var s procStat
	err = errors.Join(number(fields[user], &s.userTicks), number(fields[system], &s.systemTicks),
		number(fields[start], &s.startTicks), number(fields[parent], &s.parent),
		number(fields[childUser], &s.childTicks[0]), number(fields[childSystem], &s.childTicks[1]))
	if err != nil {
		return procStat{}, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func number(text []byte, out *uint64) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	*out = n
	return err
}

// line finds the line of a /proc file that starts with a word, without the word.
func line(text []byte, word string) ([]byte, bool) {
	for len(text) > 0 {
		var one []byte
		one, text, _ = bytes.Cut(text, []byte("\n"))
		if rest, ok := bytes.CutPrefix(one, []byte(word)); ok {
			return bytes.TrimSpace(rest), true
		}
	}
	return nil, false
}

// processBegan is when a process started, by the wall clock, to about a second.
func processBegan(root string, pid int) (time.Time, error) {
	stat, err := readProcStat(root, pid)
	if err != nil {
		return time.Time{}, err
	}
	path := filepath.Join(root, "proc", "stat")
	text, err := os.ReadFile(path)
	if err != nil {
		return time.Time{}, err
	}
	boot, ok := line(text, "btime ")
	if !ok {
		return time.Time{}, fmt.Errorf("%s: no btime: %w", path, errForm)
	}
	var seconds uint64
	if err := number(boot, &seconds); err != nil {
		return time.Time{}, fmt.Errorf("%s: btime: %w", path, err)
	}
	return time.Unix(int64(seconds), 0).Add(time.Duration(stat.startTicks) * time.Second / clockTicks), nil
}
