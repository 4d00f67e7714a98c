package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWarnOfPlainHTTP_beyondThisMachine(t *testing.T) {
	for url, warned := range map[string]bool{"http://loomboard.example": true, "http://192.0.2.7:8080": true, "https://loomboard.example": false,
		"http://localhost:8080": false, "http://127.0.0.1": false, "http://[::1]:80": false} {
		var out strings.Builder
		warnOfPlainHTTP(&out, url)
		if (out.Len() > 0) != warned {
			t.Errorf("%s: %q", url, out.String())
		}
	}
}

func TestRun_warnsOfPlainHTTP(t *testing.T) {
	dir := away(t)
	if err := writeConfig(filepath.Join(dir, "agent.json"), config{URL: "http://loomboard.example", AgentKey: "lba_x"}); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	said := writtenTo(t, &os.Stderr, func() { _ = dispatch(stopped, []string{"run", "--once"}) })
	if !strings.Contains(said, "Warning: over http the agent's key can be read") {
		t.Errorf("it said %q", said)
	}
}

// writtenTo is what something writes to os.Stdout or os.Stderr.
func writtenTo(t *testing.T, stream **os.File, do func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	real := *stream
	*stream = w
	do()
	*stream = real
	_ = w.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
