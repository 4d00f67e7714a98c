package postgres

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"loomboard.dev/agent/internal/server"
)

// enterable makes a folder that PostgreSQL's user may enter, and only this one list or change.
func enterable(dir string) error {
	if err := os.MkdirAll(dir, 0o711); err != nil {
		return err
	}
	return os.Chmod(dir, 0o711)
}

// give makes a file or folder the user's.
func give(path string, to *server.User) error {
	if to == nil {
		return nil
	}
	return os.Lchown(path, to.UID, to.GID)
}

// takeOver makes all that lies in a folder this process's own.
func takeOver(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, os.Geteuid(), os.Getegid())
	})
}

// copyTree copies files and folders, and makes them the user's. The folder itself comes last: before, nobody else may enter it, so
// nothing in it can be changed for a link to somebody's file.
func copyTree(from, to string, user *server.User) error {
	var all []string
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		copied := filepath.Join(to, below)
		all = append(all, copied)
		switch {
		case entry.IsDir():
			return os.Mkdir(copied, 0o700)
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder: a database of the agent cannot have tablespaces of its own", below)
		}
		return copyFile(path, copied)
	})
	if err != nil {
		return err
	}
	for _, path := range slices.Backward(all) {
		if err := give(path, user); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
