package server

import (
	"fmt"

	"loomboard.dev/agent/internal/port"
)

// choosePort is the port that the server is to listen on.
func (l Launch) choosePort() (int, error) {
	switch {
	case l.Port != 0:
		return l.Port, nil
	case l.Spec.Port == 0:
		return port.Free()
	}
	if err := port.CanListen(l.Spec.Port); err != nil {
		return 0, fmt.Errorf("server %s always listens on port %d, which another program has (%w): end that one (ss -ltnp shows it), "+
			"or have the command take {port}", l.Spec.Name, l.Spec.Port, err)
	}
	return l.Spec.Port, nil
}
