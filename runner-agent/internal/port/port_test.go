package port

import (
	"fmt"
	"net"
	"testing"
)

func TestFree_is_below_the_ephemeral_range(t *testing.T) {
	for range 20 {
		port, err := Free()
		if err != nil || port < lowest || port > highest {
			t.Fatal(port, err)
		}
	}
}

func TestCanListen_refuses_a_port_that_is_taken(t *testing.T) {
	port, err := Free()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	if CanListen(port) == nil {
		t.Errorf("port %d is taken", port)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := CanListen(port); err != nil {
		t.Errorf("port %d is free again: %v", port, err)
	}
}
