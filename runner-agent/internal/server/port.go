package server

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// Ports below the kernel's usual ephemeral range (32768 and up): a connection of
// the load generator cannot take one between the choice and the server's bind.
const (
	lowestPort  = 20000
	highestPort = 29999
	portTries   = 50
)

// choosePort is the port that the server is to listen on.
func (l Launch) choosePort() (int, error) {
	switch {
	case l.Port != 0:
		return l.Port, nil
	case l.Spec.Port == 0:
		return freePort()
	}
	if err := canListen(l.Spec.Port); err != nil {
		return 0, fmt.Errorf("server %s always listens on port %d, which another program has (%w): end that one (ss -ltnp shows it), "+
			"or have the command take {port}", l.Spec.Name, l.Spec.Port, err)
	}
	return l.Spec.Port, nil
}

// freePort chooses a loopback port that nothing listens on.
func freePort() (int, error) {
	var last error
	for range portTries {
		port := lowestPort + rand.IntN(highestPort-lowestPort+1)
		if last = canListen(port); last == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("no free port between %d and %d after %d tries: %w", lowestPort, highestPort, portTries, last)
}

func canListen(port int) error {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	return errors.Join(l.Close())
}
