package main

import (
	"fmt"
	"io"
	"net"
	"net/url"
)

// warnOfPlainHTTP: the key would travel in the clear.
func warnOfPlainHTTP(to io.Writer, base string) {
	if inTheClear(base) {
		fmt.Fprintln(to, "Warning: over http the agent's key can be read on the way; use https beyond this machine.")
	}
}

// inTheClear: somebody on the way can read what is sent, and answer in the service's place.
func inTheClear(base string) bool {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" || u.Hostname() == "localhost" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return ip == nil || !ip.IsLoopback()
}
