//go:build !linux

package cores

import "errors"

// Confine can do nothing here.
func Confine(set Set) (release func(), err error) {
	if len(set) > 0 {
		return nil, errors.New("pinning to CPUs needs Linux; set pinning to shared")
	}
	return func() {}, nil
}

// On can do nothing here.
func On(set Set, start func() error) error {
	if len(set) > 0 {
		return errors.New("pinning to CPUs needs Linux; set pinning to shared")
	}
	return start()
}

// Everywhere only calls start.
func Everywhere(start func() error) error { return start() }

// PreferRealtime can do nothing here.
func PreferRealtime() bool { return false }
