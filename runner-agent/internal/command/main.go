package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// Main runs a command until it ends or is stopped by Ctrl-C or TERM, which end the context, and exits: 0 it did what it should,
// 1 it failed and says how, 130 it was stopped.
func Main(name string, run func(context.Context) error) {
	// Children die with the thread that started them (Pdeathsig), so this one is kept.
	runtime.LockOSThread()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	os.Exit(exitCode(os.Stderr, name, err))
}

func exitCode(out io.Writer, name string, err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(out, "%s: stopped; the same command goes on where it was\n", name)
		return 130
	}
	fmt.Fprintf(out, "%s: %v\n", name, err)
	return 1
}

// Absolute makes each path one from the root, for programs that are started elsewhere.
func Absolute(paths ...*string) error {
	for _, path := range paths {
		full, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = full
	}
	return nil
}

// Say prints a line of progress after the time of day.
func Say(format string, values ...any) {
	fmt.Println(time.Now().Format(time.TimeOnly), fmt.Sprintf(format, values...))
}
