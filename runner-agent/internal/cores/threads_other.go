//go:build !linux

package cores

import (
	"errors"

	"loomboard.dev/agent/internal/api"
)

// Confine can do nothing here.
func Confine(set api.CPUSet) (release func(), err error) {
	if len(set) > 0 {
		return nil, errors.New("pinning to CPUs needs Linux; set pinning to shared")
	}
	return func() {}, nil
}

// On can do nothing here.
func On(set api.CPUSet, start func() error) error {
	if len(set) > 0 {
		return errors.New("pinning to CPUs needs Linux; set pinning to shared")
	}
	return start()
}

// Everywhere only calls start.
func Everywhere(start func() error) error { return start() }

// PreferRealtime can do nothing here.
func PreferRealtime() bool { return false }
