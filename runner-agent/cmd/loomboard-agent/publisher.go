package main

import (
	"cmp"
	"flag"

	"loomboard.dev/agent/internal/install"
)

// publisher is the key of who made this binary, set by the linker for a release that is signed; empty: nobody's.
var publisher = ""

// nobody in place of a publisher's key: servers of every publisher are accepted.
const nobody = "none"

func publisherFlag(f *flag.FlagSet, into *string) {
	f.StringVar(into, "publisher", "", "take servers only from releases that this `key` has signed (44 characters, from their publisher, "+
		"not from the service); none: from anybody (default that of the registration, else of who released this agent)")
}

// takenFrom is nil where servers of every publisher are accepted.
func (c config) takenFrom(given string) (install.Publisher, error) {
	word := cmp.Or(given, c.Publisher, publisher, nobody)
	if word == nobody {
		return nil, nil
	}
	return install.ParsePublisher(word)
}
