package draft

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listening are the TCP ports on which one of these processes listens, the lowest first. What cannot be read has none.
func listening(root string, pids []int) []int {
	sockets := map[string]bool{}
	for _, pid := range pids {
		folder := filepath.Join(root, "proc", strconv.Itoa(pid), "fd")
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if to, err := os.Readlink(filepath.Join(folder, e.Name())); err == nil {
				sockets[to] = true
			}
		}
	}
	var ports []int
	for _, table := range []string{"tcp", "tcp6"} {
		for _, at := range listeners(filepath.Join(root, "proc", "net", table)) {
			if sockets["socket:["+at.inode+"]"] {
				ports = append(ports, at.port)
			}
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

type listener struct {
	port  int
	inode string
}

// listeners are those of one of the kernel's tables.
func listeners(path string) []listener {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var all []listener
	for lines := bufio.NewScanner(f); lines.Scan(); {
		const address, state, inode, listens = 1, 3, 9, "0A"
		fields := strings.Fields(lines.Text())
		if len(fields) <= inode || fields[state] != listens {
			continue
		}
		_, hex, _ := strings.Cut(fields[address], ":")
		if port, err := strconv.ParseUint(hex, 16, 16); err == nil {
			all = append(all, listener{int(port), fields[inode]})
		}
	}
	return all
}
