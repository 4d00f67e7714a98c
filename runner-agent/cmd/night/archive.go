package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/pack"
)

// archive is a JDK as the catalogue offers it.
type archive struct {
	jdk.Build
	path   string
	bytes  int64
	sha256 string
}

// packJDK writes a JDK into a .tar.gz of the folder.
func packJDK(ctx context.Context, b jdk.Build, folder string) (a archive, err error) {
	a = archive{Build: b, path: filepath.Join(folder, b.Slug+".tar.gz")}
	file, err := os.Create(a.path)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := sha256.New()
	zipped, err := gzip.NewWriterLevel(io.MultiWriter(file, sum), gzip.BestSpeed)
	if err != nil {
		return a, err
	}
	packed := tar.NewWriter(zipped)
	if err := addTree(ctx, packed, b.Home, b.Slug); err != nil {
		return a, fmt.Errorf("packing %s: %w", b.Slug, err)
	}
	if err := errors.Join(packed.Close(), zipped.Close()); err != nil {
		return a, err
	}
	info, err := file.Stat()
	if err != nil {
		return a, err
	}
	a.bytes, a.sha256 = info.Size(), hex.EncodeToString(sum.Sum(nil))
	return a, nil
}

// addTree adds what is at a path. Links that stay within the JDK remain links; others, by which packagers keep parts of a JDK
// elsewhere, become what they lead to, and those that lead nowhere are left out.
func addTree(ctx context.Context, to *tar.Writer, from, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if target, err := os.Readlink(from); err == nil && staysWithin(name, target) {
		return to.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target, Mode: 0o777})
	}
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().IsRegular():
		return addFile(to, from, name, info)
	case !info.IsDir():
		return nil
	}
	if err := to.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755}); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := addTree(ctx, to, filepath.Join(from, e.Name()), path.Join(name, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// staysWithin is whether a link leads to within the one folder of its archive, as agents take it.
func staysWithin(name, target string) bool {
	top, _, _ := strings.Cut(name, "/")
	return !path.IsAbs(target) && path.Clean(target) == target && strings.HasPrefix(path.Join(path.Dir(name), target), top+"/")
}

func addFile(to *tar.Writer, from, name string, info fs.FileInfo) error {
	if err := to.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: info.Size(), Mode: int64(info.Mode().Perm())}); err != nil {
		return err
	}
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(to, file)
	return err
}

// unpack is the JDK of an archive in a folder that is made.
func (a archive) unpack(folder string) error {
	file, err := os.Open(a.path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	return pack.ExtractTree(file, root, pack.Bounds{Files: 100_000, Bytes: 8 << 30})
}
