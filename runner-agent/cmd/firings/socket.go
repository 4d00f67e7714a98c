package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// holds is whether a process holds the socket whose address, on this machine, is that.
func holds(pid int, of net.Addr) bool {
	address, ok := of.(*net.TCPAddr)
	if !ok {
		return false
	}
	for _, table := range []string{"tcp", "tcp6"} {
		for _, inode := range inodes(fmt.Sprintf("/proc/%d/net/%s", pid, table), address.Port) {
			if hasOpen(pid, "socket:["+inode+"]") {
				return true
			}
		}
	}
	return false
}

// inodes are those of the sockets in a table of the kernel that have a local port.
func inodes(table string, port int) (all []string) {
	file, err := os.Open(table)
	if err != nil {
		return nil
	}
	defer file.Close()
	local := fmt.Sprintf(":%04X", port)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 9 && strings.HasSuffix(fields[1], local) {
			all = append(all, fields[9])
		}
	}
	return all
}

func hasOpen(pid int, what string) bool {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		return false
	}
	for _, file := range files {
		if target, err := os.Readlink(file); err == nil && target == what {
			return true
		}
	}
	return false
}
