// Package pack writes archives (tar, gzip) whose bytes follow from their content alone, and unpacks those of others without
// trusting them.
package pack

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// File is one of an archive.
type File struct {
	Name       string // in the archive, with slashes
	Path       string // on disk; empty: Data
	Data       []byte
	Executable bool
}

// Write packs files in the order of their names. Owner, order and what lies around them on disk leave no trace: the same content
// and time give the same bytes.
func Write(w io.Writer, at time.Time, files []File) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	sorted := slices.SortedFunc(slices.Values(files), func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range sorted {
		if err := add(archive, at, f); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return errors.Join(archive.Close(), zipped.Close())
}

func add(archive *tar.Writer, at time.Time, f File) error {
	data := f.Data
	if f.Path != "" {
		var err error
		if data, err = os.ReadFile(f.Path); err != nil {
			return err
		}
	}
	mode := int64(0o644)
	if f.Executable {
		mode = 0o755
	}
	header := &tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Size: int64(len(data)), Mode: mode,
		ModTime: at.UTC().Truncate(time.Second), Format: tar.FormatUSTAR}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err := archive.Write(data)
	return err
}

// Bounds are what an archive of others may hold.
type Bounds struct {
	Files int
	Bytes int64 // unpacked
}

// longestName is more than any file of a server needs.
const longestName = 200

// perFile is what tar adds to a file, and room for its extended headers.
const perFile = 4 << 10

// Extract unpacks plain files into a folder and nothing else: no links, no devices, no path that leads out, no file twice, no more
// than the bounds. What it has written when it fails is for the caller to remove.
func Extract(r io.Reader, into *os.Root, b Bounds) error {
	left := b.Bytes
	return each(r, b, func(h *tar.Header, content io.Reader) error {
		if err := check(h); err != nil {
			return err
		}
		written, err := extract(content, into, h.Name, left)
		if err != nil {
			return fmt.Errorf("%q: %w", h.Name, err)
		}
		left -= written
		return nil
	})
}

// each gives the entries of an archive, and reads no more of it than the bounds allow.
func each(r io.Reader, b Bounds, take func(h *tar.Header, content io.Reader) error) error {
	zipped, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("not a gzip archive: %w", err)
	}
	stream := &bounded{r: zipped, left: b.Bytes + int64(b.Files+1)*perFile}
	archive := tar.NewReader(stream)
	for files := 0; ; files++ {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, stream) // to the end, where the checksum is
			return err
		}
		if err != nil {
			return fmt.Errorf("not a tar archive that can be read: %w", err)
		}
		if files == b.Files {
			return fmt.Errorf("more than %d files", b.Files)
		}
		if err := take(header, archive); err != nil {
			return err
		}
	}
}

func check(h *tar.Header) error {
	switch {
	case h.Typeflag != tar.TypeReg:
		return fmt.Errorf("%q is no plain file; links, folders and devices are not unpacked", h.Name)
	case !fs.ValidPath(h.Name) || h.Name == "." || len(h.Name) > longestName || strings.ContainsFunc(h.Name, strange):
		return fmt.Errorf("%q is no name for a file within a folder", h.Name)
	}
	return nil
}

// strange are characters that no file of ours has: control characters, the backslash, all beyond ASCII.
func strange(r rune) bool { return r < ' ' || r > '~' || r == '\\' }

func extract(from io.Reader, into *os.Root, name string, most int64) (int64, error) {
	if dir := path.Dir(name); dir != "." {
		if err := into.MkdirAll(dir, 0o755); err != nil {
			return 0, err
		}
	}
	f, err := into.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	written, err := io.Copy(f, io.LimitReader(from, most+1))
	if err == nil && written > most {
		err = errTooLarge
	}
	if err == nil {
		err = f.Sync()
	}
	return written, errors.Join(err, f.Close())
}

var errTooLarge = errors.New("the archive is larger than allowed when unpacked")

// bounded refuses to read on where io.LimitReader would pretend that the stream ends.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
