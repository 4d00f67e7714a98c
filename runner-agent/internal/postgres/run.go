package postgres

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"loomboard.dev/agent/internal/server"
)

// run has a program do its work and waits for it.
func (p Programs) run(ctx context.Context, in io.Reader, environment []string, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(p.Folder, program), args...)
	cmd.Dir = "/" // where this process stands may be closed to the user
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}, environment...)
	cmd.Stdin = in
	return server.Through(ctx, cmd, p.User)
}
