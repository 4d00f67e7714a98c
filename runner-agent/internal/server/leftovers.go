package server

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// RemoveLeftovers removes what a killed JVM of this user could not remove
// itself: its counters, attach socket and attach trigger. Only call it once the
// process is gone; a missing file is no error.
func RemoveLeftovers(pid int) {
	for _, pattern := range []string{"/tmp/hsperfdata_*/%d", "/tmp/.java_pid%d", "/tmp/.attach_pid%d"} {
		paths, err := filepath.Glob(fmt.Sprintf(pattern, pid))
		if err != nil {
			continue
		}
		for _, path := range paths {
			if ours(path) {
				_ = os.Remove(path) // gone already
			}
		}
	}
}

// ours says whether a file in a folder that anybody may write to is of this
// user, and not reached through a link that somebody laid there.
func ours(path string) bool {
	folder, err := os.Lstat(filepath.Dir(path))
	if err != nil || !folder.IsDir() {
		return false
	}
	file, err := os.Lstat(path)
	if err != nil {
		return false
	}
	stat, ok := file.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
