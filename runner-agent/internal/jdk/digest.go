package jdk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"loomboard.dev/agent/internal/durable"
)

// digests hashes files and remembers the result by path, size and modification
// time: lib/modules is some 150 MB and does not change.
type digests struct {
	path string // of the cache file; empty = remember only for this process

	mu    sync.Mutex
	known map[string]string
	dirty bool
}

func openDigests(cacheDir string) *digests {
	d := &digests{known: map[string]string{}}
	if cacheDir == "" {
		return d
	}
	d.path = filepath.Join(cacheDir, "jdk-digests.json")
	// A cache that cannot be read is only slow: everything is hashed again.
	if text, err := os.ReadFile(d.path); err == nil {
		if json.Unmarshal(text, &d.known) != nil || d.known == nil {
			d.known = map[string]string{}
		}
	}
	return d
}

func (d *digests) of(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	key := fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
	d.mu.Lock()
	sum, ok := d.known[key]
	d.mu.Unlock()
	if ok {
		return sum, nil
	}
	if sum, err = hashFile(path); err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[key] = sum
	d.dirty = true
	return sum, nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("digest of %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// save leaves one whole file, also of two agents at once.
func (d *digests) save() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path == "" || !d.dirty {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(d.path), 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(d.known, "", " ")
	if err != nil {
		return err
	}
	return durable.Write(d.path, text)
}
