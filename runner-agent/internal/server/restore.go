package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// restoreWithin bounds the command that restores what trials change.
const restoreWithin = 10 * time.Minute

var errRestoreLate = fmt.Errorf("it had not ended after %v", restoreWithin)

// restore brings back what a trial before may have changed. A command that names a database has nothing to do where none is asked. It gets
// what a server gets, and no more: of a container, too, whose engine is asked as the agent.
func (l Launch) restore(ctx context.Context) error {
	words := l.Spec.Restore
	if len(words) == 0 || l.Database == nil && strings.Contains(strings.Join(words, " "), "{database") {
		return nil
	}
	path, err := l.Spec.lookFor(words[0])
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	var args []string
	for _, word := range words[1:] {
		args = append(args, strings.ReplaceAll(word, "{server}", l.Spec.Dir))
	}
	if l.Database != nil {
		args = l.Database.fill(args)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, restoreWithin, errRestoreLate)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = l.Spec.Dir
	l.container = nil
	cmd.Env = l.environment(os.Getenv)
	if err := Through(ctx, cmd, l.User); err != nil {
		if errors.Is(err, errRestoreLate) {
			return fmt.Errorf("restore: %s: %w", words[0], err)
		}
		return fmt.Errorf("restore: %w", err)
	}
	return nil
}
