package sample

import (
	"os"
	"path/filepath"
	"strconv"
)

// Runnable is how many tasks of the host run or want to, the reading one among
// them; Missing where the kernel does not say.
func Runnable(root string) float64 {
	text, err := os.ReadFile(filepath.Join(root, "proc/stat"))
	if err != nil {
		return Missing
	}
	rest, ok := line(text, "procs_running")
	if !ok {
		return Missing
	}
	n, err := strconv.ParseFloat(string(rest), 64)
	if err != nil {
		return Missing
	}
	return n
}
