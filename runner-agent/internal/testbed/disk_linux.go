package testbed

import (
	"fmt"
	"syscall"
	"testing"
)

// SmallDisk is a file system of its own, of a given size (4m) and what else tmpfs may
// be told.
func SmallDisk(t testing.TB, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		NeedPrivilege(t, fmt.Errorf("no small disk could be mounted: %w", err), "run this test as root")
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}
