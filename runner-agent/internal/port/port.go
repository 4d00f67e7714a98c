// Package port finds ports on this machine that nothing listens on.
package port

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// Ports below the kernel's usual ephemeral range (32768 and up): a connection that
// somebody makes cannot take one between the choice and the server's bind.
const (
	lowest  = 20000
	highest = 29999
	tries   = 50
)

// Free chooses a loopback port that nothing listens on.
func Free() (int, error) {
	var last error
	for range tries {
		port := lowest + rand.IntN(highest-lowest+1)
		if last = CanListen(port); last == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("no free port between %d and %d after %d tries: %w", lowest, highest, tries, last)
}

// CanListen says why nothing could listen on a loopback port now; nil: something could.
func CanListen(port int) error {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	return errors.Join(l.Close())
}
