package testbed

import (
	"io"
	"net"
	"testing"
)

// Echo answers what it is sent, until the test ends, at the address it gives.
func Echo(t testing.TB) string {
	t.Helper()
	return Listen(t, func(c net.Conn) { _, _ = io.Copy(c, c) })
}

// Listen has each connection served, and closed afterwards, until the test ends.
func Listen(t testing.TB, serve func(net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return l.Addr().String()
}
