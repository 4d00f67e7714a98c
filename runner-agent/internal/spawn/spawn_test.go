package spawn

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func start(ctx context.Context, script, input string) (*Server, error) {
	return Start(ctx, exec.Command("/bin/sh", "-c", script), []byte(input))
}

func TestStart_gives_the_first_line_and_Stop_the_end(t *testing.T) {
	s, err := start(t.Context(), "read name; echo here is $name; echo more; cat; exit 3", "loom\n")
	if err != nil {
		t.Fatal(err)
	}
	if s.FirstLine != "here is loom" {
		t.Errorf("said %q", s.FirstLine)
	}
	select {
	case <-s.Done():
		t.Error("it ended before its input did")
	default:
	}
	for range 2 {
		var exit *exec.ExitError
		if err := s.Stop(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
			t.Errorf("it ended with %v", err)
		}
	}
	<-s.Done()
}

func TestStart_says_why_there_is_no_server(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		script string
		why    string
	}{
		{t.Context(), "echo the port is taken >&2; exit 1", "the port is taken"},
		{gone, "cat", "canceled"},
	} {
		if s, err := start(c.ctx, c.script, ""); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, %v", c.script, s, err)
		}
	}
	if _, err := Start(t.Context(), exec.Command("/nowhere"), nil); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}
