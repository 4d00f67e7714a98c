package main

import (
	"fmt"
	"io"
	"net"
	"net/url"
)

// warnOfPlainHTTP: the key would travel in the clear.
func warnOfPlainHTTP(to io.Writer, base string) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" || u.Hostname() == "localhost" {
		return
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsLoopback() {
		return
	}
	fmt.Fprintln(to, "Warning: over http the agent's key can be read on the way; use https beyond this machine.")
}
