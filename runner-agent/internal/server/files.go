package server

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// mostFile bounds one of the files that are copied into a server's working folder.
const mostFile = 64 << 20

// file is the content of one that the server names, links out of its folder excluded.
func (s Spec) file(name string) ([]byte, error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s", filepath.Join(s.Dir, name))
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no plain file: name each file", name)
	case info.Size() > mostFile:
		return nil, fmt.Errorf("%s has %d bytes, %d are the most", name, info.Size(), mostFile)
	}
	return root.ReadFile(name)
}

// fileDigests are nil for a server without files.
func (s Spec) fileDigests() (map[string]string, error) {
	var digests map[string]string
	for _, name := range s.Files {
		text, err := s.file(name)
		if err != nil {
			return nil, fmt.Errorf("files of %s: %w", s.Name, err)
		}
		if digests == nil {
			digests = map[string]string{}
		}
		sum := sha256.Sum256(text)
		digests[filepath.ToSlash(filepath.Clean(name))] = hex.EncodeToString(sum[:])
	}
	return digests, nil
}

// copyFiles puts the server's files into its working folder, for each trial again.
func (l Launch) copyFiles() error {
	for _, name := range l.Spec.Files {
		text, err := l.Spec.file(name)
		if err != nil {
			return fmt.Errorf("files of %s: %w", l.Spec.Name, err)
		}
		to := filepath.Join(l.Dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("files of %s: %w", l.Spec.Name, err)
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return fmt.Errorf("files of %s: %w", l.Spec.Name, err)
		}
	}
	return nil
}
