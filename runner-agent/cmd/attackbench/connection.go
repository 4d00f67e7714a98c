package main

import (
	"bufio"
	"context"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// connection is one of somebody who means no good; it ends with its context.
type connection struct {
	*net.TCPConn
	reader *bufio.Reader
	tally  *tally
	kept   func() bool
}

func open(ctx context.Context, base, from string, t *tally) (*connection, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	c, err := dialer(from).DialContext(ctx, "tcp4", net.JoinHostPort("127.0.0.1", u.Port()))
	if err != nil {
		return nil, err
	}
	t.opened()
	tcp := c.(*net.TCPConn) // what dialling tcp4 gives
	return &connection{tcp, bufio.NewReaderSize(tcp, 512), t, context.AfterFunc(ctx, func() { _ = tcp.Close() })}, nil
}

// send writes what the service still takes: what it does with it is read from its answer.
func (c *connection) send(bytes []byte) { _, _ = c.Write(bytes) }

// listen waits for the answer while the attacker goes on.
func (c *connection) listen() <-chan int {
	answered := make(chan int, 1)
	go func() { answered <- c.status() }()
	return answered
}

// status waits for an answer; 0: the connection ended without one.
func (c *connection) status() int {
	line, err := c.reader.ReadString('\n')
	if err != nil {
		return 0
	}
	words := strings.Fields(line)
	if len(words) < 2 {
		return 0
	}
	status, err := strconv.Atoi(words[1])
	if err != nil {
		return 0
	}
	return status
}

func (c *connection) end() {
	c.kept()
	_ = c.Close()
	c.tally.closed()
}
