package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestOnce_says_each_thing_once(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(newLogOnce(slog.NewTextHandler(&out, nil)))
	for range 3 {
		log.Warn("a source cannot be read", "source", "temperature")
		log.Warn("a source cannot be read", "source", "frequency")
	}
	for _, source := range []string{"temperature", "frequency"} {
		if n := strings.Count(out.String(), source); n != 1 {
			t.Errorf("%s is said %d times, want once:\n%s", source, n, out.String())
		}
	}
}
