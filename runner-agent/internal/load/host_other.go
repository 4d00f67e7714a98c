//go:build !linux

package load

import "os/exec"

func hostSteal() (steal, all uint64, ok bool) { return 0, 0, false }

// dieWithParent does nothing here: the load process ends when its input does.
func dieWithParent(*exec.Cmd) {}

func keepAwake() (release func(), ok bool) { return func() {}, false }
