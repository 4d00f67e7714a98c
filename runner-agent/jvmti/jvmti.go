// Package jvmti carries the contention agent of diagnostic trials inside the binary.
package jvmti

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

//go:embed lib
var libraries embed.FS

// ErrNone says that there is no library for a JVM; the text says why.
var ErrNone = errors.New("no contention agent")

// Extract writes the library for this machine into a new folder below dir that only this user can change, and
// returns its path. libc is the JDK's, as its lineage names it.
func Extract(dir, libc string) (string, error) {
	if strings.HasPrefix(libc, "musl") {
		return "", fmt.Errorf("%w: it is built for glibc, this JDK for musl", ErrNone)
	}
	name := "liblbcontention-" + runtime.GOARCH + ".so"
	library, err := libraries.ReadFile("lib/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: this binary was built without a C compiler for %s (make -C runner-agent build)",
			ErrNone, runtime.GOARCH)
	}
	if err != nil {
		return "", err
	}
	private := filepath.Join(dir, "jvmti")
	if err := os.MkdirAll(private, 0o755); err != nil {
		return "", fmt.Errorf("folder of the contention agent: %w", err)
	}
	path := filepath.Join(private, name)
	// Nobody may change what a JVM loads; it may run as another user.
	if err := os.WriteFile(path, library, 0o555); err != nil {
		return "", fmt.Errorf("contention agent: %w", err)
	}
	return path, nil
}
