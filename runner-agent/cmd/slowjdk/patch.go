package main

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	patched    = "patched" // folder of java.base classes in lib
	mostRounds = 10_000
	hashClass  = "java.base/java/util/HashMap.java" // in src.zip
	// hash is the method that spreads a key's hash, as it is in JDK 8 to 28.
	hash = `        int h;
        return (key == null) ? 0 : (h = key.hashCode()) ^ (h >>> 16);
`
	// slowHash takes this many rounds of arithmetic and gives the same, but for one key's hash in 2^32.
	slowHash = `        if (key == null) return 0;
        int h = key.hashCode(), x = h;
        for (int i = 0; i < %d; i++) x = (x ^ (x >>> 13)) * 0x5bd1e995 + i;
        return h ^ (h >>> 16) ^ (x == 0x12345678 ? 1 : 0);
`
)

// patch compiles HashMap from the JDK's own source with this many additional rounds.
func patch(ctx context.Context, home string, rounds int) error {
	source, err := sourceOf(filepath.Join(home, "lib", "src.zip"), hashClass)
	if err != nil {
		return err
	}
	if strings.Count(source, hash) != 1 {
		return fmt.Errorf("%s in %s is not as expected: its hash cannot be changed", hashClass, home)
	}
	if rounds > 0 {
		source = strings.Replace(source, hash, fmt.Sprintf(slowHash, rounds), 1)
	}
	dir, err := os.MkdirTemp("", "slowjdk-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	java := filepath.Join(dir, filepath.Base(hashClass))
	if err := os.WriteFile(java, []byte(source), 0o600); err != nil {
		return err
	}
	return run(ctx, home, [][]string{
		{"javac", "-nowarn", "--patch-module", "java.base=" + dir, "-d", filepath.Join(home, "lib", patched), java},
	})
}

func sourceOf(archive, name string) (string, error) {
	all, err := zip.OpenReader(archive)
	if err != nil {
		return "", fmt.Errorf("a JDK with its sources is needed: %w", err)
	}
	defer all.Close()
	file, err := all.Open(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", archive, err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	return string(content), err
}
