package pack

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// ExtractTree unpacks the one folder that an archive must be into a folder: folders, plain files with or without the right to be
// executed, and symbolic links to within it. Owners, times and all other rights are not taken over. Hard links, devices and paths or
// links that lead out are refused, as is more than the bounds, whose files are entries of any kind. Nothing is flushed to the disk.
// What it has written when it fails is for the caller to remove.
func ExtractTree(r io.Reader, into *os.Root, b Bounds) error {
	t := tree{into: into, left: b.Bytes, folders: map[string]bool{".": true}}
	return each(r, b, func(h *tar.Header, content io.Reader) error {
		if err := t.take(h, content); err != nil {
			return fmt.Errorf("%.200q: %w", h.Name, err)
		}
		return nil
	})
}

// tree is what was unpacked until now.
type tree struct {
	into    *os.Root
	left    int64           // bytes
	top     string          // of the archive, and left out
	folders map[string]bool // that are there: real ones, no links to any
}

func (t *tree) take(h *tar.Header, content io.Reader) error {
	name, err := t.within(h)
	if err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return t.folder(name)
	case tar.TypeReg:
		return t.file(name, h.Mode&0o111 != 0, content)
	case tar.TypeSymlink:
		return t.link(name, h.Linkname)
	default:
		return errors.New("is no folder, plain file or symbolic link; nothing else is unpacked")
	}
}

// within is the name without the archive's one folder.
func (t *tree) within(h *tar.Header) (string, error) {
	name := strings.TrimPrefix(h.Name, "./")
	if h.Typeflag == tar.TypeDir {
		name = strings.TrimSuffix(name, "/")
		if name == "" || name == "." {
			return ".", nil
		}
	}
	if !usual(name) {
		return "", errors.New("is no name within a folder")
	}
	top, rest, below := strings.Cut(name, "/")
	if t.top == "" {
		t.top = top
	}
	switch {
	case top != t.top:
		return "", fmt.Errorf("lies beside %q, and the archive must be one folder", t.top)
	case below:
		return rest, nil
	case h.Typeflag != tar.TypeDir:
		return "", errors.New("lies in no folder, and the archive must be one")
	}
	return ".", nil
}

func usual(name string) bool {
	return fs.ValidPath(name) && name != "." && len(name) <= longestName && !strings.ContainsFunc(name, strange)
}

// folder makes it and those above it. A link is none: nothing is written through it.
func (t *tree) folder(name string) error {
	if t.folders[name] {
		return nil
	}
	if err := t.folder(path.Dir(name)); err != nil {
		return err
	}
	if err := t.into.Mkdir(name, 0o755); err != nil {
		return err // also where a file or a link has the name
	}
	t.folders[name] = true
	return t.into.Chmod(name, 0o755) // whatever this process's umask is
}

func (t *tree) file(name string, executable bool, content io.Reader) error {
	if err := t.folder(path.Dir(name)); err != nil {
		return err
	}
	f, err := t.into.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	written, err := io.Copy(f, io.LimitReader(content, t.left+1))
	if t.left -= written; err == nil && t.left < 0 {
		err = errTooLarge
	}
	if err == nil && executable {
		err = f.Chmod(0o755)
	} else if err == nil {
		err = f.Chmod(0o644)
	}
	return errors.Join(err, f.Close())
}

// link takes targets that go up first and then only down. The folder that the link is in is a real one, so going up stays within, and
// what going down meets is real, too, or a link as this one. One that went down and then up could pass a link on its way and end
// elsewhere than its text says.
func (t *tree) link(name, target string) error {
	if err := t.folder(path.Dir(name)); err != nil {
		return err
	}
	leads := path.Join(path.Dir(name), target)
	if target == "" || path.IsAbs(target) || path.Clean(target) != target || leads != "." && !usual(leads) {
		return fmt.Errorf("is a link to %.200q, which is not known to lie in the archive's folder", target)
	}
	return t.into.Symlink(target, name)
}
