package server

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// digestOf is the sha256 of a file, or of all files of a folder.
func digestOf(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return digestOfFolder(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, fmt.Errorf("digest of %s: %w", path, err)
	}
	return h.Sum(nil), nil
}

// digestOfFolder is that of the paths and contents of its files.
func digestOfFolder(path string) ([]byte, error) {
	h := sha256.New()
	err := eachFile(path, func(name, at string) error {
		sum, err := digestOf(at)
		fmt.Fprintf(h, "%q %x\n", name, sum)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("digest of %s: %w", path, err)
	}
	return h.Sum(nil), nil
}

// eachFile does something with each plain file of a folder, in order of their names, which are paths from the folder wherever that
// lies. A link to a file counts as that file; one to a folder is left out, since it may lead anywhere.
func eachFile(folder string, do func(name, at string) error) error {
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() {
			return nil // a dead link, a pipe or a socket has no content
		}
		name, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(name), at)
	})
}

// readThrough reads a file, or all files of a folder, and tells how much that is.
func readThrough(path string) (all int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if info.IsDir() {
		err = eachFile(path, func(_, at string) error {
			n, err := readThrough(at)
			all += n
			return err
		})
		return all, err
	}
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return io.Copy(io.Discard, file)
}
