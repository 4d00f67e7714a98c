//go:build !linux

package truthserver

import "errors"

// Server exists on Linux only: elsewhere no timer is fine enough to call it truth.
type Server struct{}

// Listen always fails here.
func Listen(string, Behaviour) (*Server, error) {
	return nil, errors.New("the truth server needs Linux (epoll and timerfd)")
}

// URL of nothing.
func (*Server) URL() string { return "" }

// Close does nothing.
func (*Server) Close() {}
