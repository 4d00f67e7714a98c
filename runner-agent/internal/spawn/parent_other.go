//go:build !linux

package spawn

import "os/exec"

// dieWithParent does nothing here: the process ends when its input does.
func dieWithParent(*exec.Cmd) {}
