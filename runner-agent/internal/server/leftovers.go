package server

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// RemoveLeftovers removes what a killed JVM of ours could not remove itself: its counters, attach
// socket and attach trigger. Only call it once the process is gone; a missing file is no error.
func RemoveLeftovers(pid int) {
	for _, pattern := range []string{"/tmp/hsperfdata_*/%d", "/tmp/.java_pid%d", "/tmp/.attach_pid%d"} {
		paths, err := filepath.Glob(fmt.Sprintf(pattern, pid))
		if err != nil {
			continue
		}
		for _, path := range paths {
			removeOurs(path)
		}
	}
}

// removeOurs removes a file of this user or of the one that servers run as. Its folder is one that anybody may write
// to, and is held open: it cannot become a link to another in between.
func removeOurs(path string) {
	folder, err := unix.Open(filepath.Dir(path), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(folder)
	var file unix.Stat_t
	name := filepath.Base(path)
	if unix.Fstatat(folder, name, &file, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return
	}
	user, err := FindUser()
	if int(file.Uid) == os.Geteuid() || err == nil && int(file.Uid) == user.UID {
		_ = unix.Unlinkat(folder, name, 0) // gone already
	}
}
