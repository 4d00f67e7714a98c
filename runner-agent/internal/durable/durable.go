// Package durable keeps small files whole through a crash and a power cut.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// HalfWritten ends the names of files that a crash left before they were whole.
const HalfWritten = ".new"

// Write replaces a file by one that only its owner may read. It appears whole or not at all, and once Write
// returns nil no power cut takes it away. Several programs may write the same file at once.
func Write(path string, content []byte) error {
	half, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*"+HalfWritten) // made with mode 0600
	if err != nil {
		return err
	}
	_, err = half.Write(content)
	if err == nil {
		err = GiveToOwner(half)
	}
	if err == nil {
		err = half.Sync()
	}
	if err = errors.Join(err, half.Close()); err == nil {
		err = os.Rename(half.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half.Name()))
	}
	return SyncFolder(filepath.Dir(path))
}

// GiveToOwner gives a file that root has just made in somebody's folder to that user, who could not read it otherwise.
func GiveToOwner(f *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	folder, err := os.Stat(filepath.Dir(f.Name()))
	if err != nil {
		return err
	}
	if owner, ok := folder.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 {
		return f.Chown(int(owner.Uid), int(owner.Gid))
	}
	return nil
}

// Folder makes a folder that only its owner may open, with those above it that are missing. They last as a file of Write does.
func Folder(path string) error {
	err := os.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		if err := Folder(filepath.Dir(path)); err != nil {
			return err
		}
		err = os.Mkdir(path, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}

// SyncFolder makes what was renamed, made or removed in a folder last.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
