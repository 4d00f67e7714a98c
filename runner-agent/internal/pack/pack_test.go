package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/testbed"
)

var at = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func packed(t testing.TB, files ...File) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, at, files); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// raw is an archive as others may make it.
func raw(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, h := range headers {
		if err := archive.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(make([]byte, h.Size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func into(t testing.TB) (string, *os.Root) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return dir, root
}

func TestWrite_sameContentGivesTheSameBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent")
	write := func(mode fs.FileMode, modified time.Time) File {
		t.Helper()
		if err := os.WriteFile(path, []byte("binary"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, modified, modified); err != nil {
			t.Fatal(err)
		}
		return File{Name: "agent", Path: path, Executable: true}
	}
	licence := File{Name: "LICENSE", Data: []byte("Apache")}
	first := packed(t, write(0o700, at), licence)
	second := packed(t, licence, write(0o666, at.Add(time.Hour)))
	if !bytes.Equal(first, second) {
		t.Error("mode, time and order of files on disk show in the archive")
	}
	if bytes.Equal(first, packed(t, licence, File{Name: "agent", Data: []byte("other"), Executable: true})) {
		t.Error("other content gives the same bytes")
	}
}

func TestExtract_givesBackWhatWasPacked(t *testing.T) {
	dir, root := into(t)
	archive := packed(t, File{Name: "server.yaml", Data: []byte("name: x\n")},
		File{Name: "target/x.jar", Data: []byte("PK"), Executable: true})
	if err := Extract(bytes.NewReader(archive), root, Bounds{2, 10}); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"server.yaml": "name: x\n", "target/x.jar": "PK"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != content {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode()&0o111 != 0 {
			t.Errorf("%s can be executed: %v, %v", name, info, err)
		}
	}
}

func TestExtract_refusesWhatLeadsOutOrIsNoFile(t *testing.T) {
	for name, c := range map[string]struct {
		header tar.Header
		says   string
	}{
		"absolute":    {tar.Header{Typeflag: tar.TypeReg, Name: "/etc/passwd"}, "no name for a file"},
		"upwards":     {tar.Header{Typeflag: tar.TypeReg, Name: "a/../../b"}, "no name for a file"},
		"dotted":      {tar.Header{Typeflag: tar.TypeReg, Name: "./a"}, "no name for a file"},
		"backslash":   {tar.Header{Typeflag: tar.TypeReg, Name: `..\b`}, "no name for a file"},
		"newline":     {tar.Header{Typeflag: tar.TypeReg, Name: "a\nb"}, "no name for a file"},
		"long":        {tar.Header{Typeflag: tar.TypeReg, Name: strings.Repeat("a", 201)}, "no name for a file"},
		"symlink":     {tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc"}, "no plain file"},
		"hard link":   {tar.Header{Typeflag: tar.TypeLink, Name: "a", Linkname: "b"}, "no plain file"},
		"folder":      {tar.Header{Typeflag: tar.TypeDir, Name: "a/"}, "no plain file"},
		"device":      {tar.Header{Typeflag: tar.TypeChar, Name: "a"}, "no plain file"},
		"global note": {tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "a", PAXRecords: map[string]string{"x": "y"}}, "no plain file"},
	} {
		dir, root := into(t)
		err := Extract(bytes.NewReader(raw(t, c.header)), root, Bounds{10, 1000})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, must say %q", name, err, c.says)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s left %v, %v", name, left, err)
		}
	}
}

func TestExtract_refusesMoreThanItsBounds(t *testing.T) {
	file := func(name string, size int64) tar.Header {
		return tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size}
	}
	for name, c := range map[string]struct {
		archive []byte
		says    string
	}{
		"a large file":     {raw(t, file("a", 101)), "larger than allowed"},
		"large together":   {raw(t, file("a", 60), file("b", 41)), "larger than allowed"},
		"a bomb":           {raw(t, file("a", 5<<20)), "larger than allowed"},
		"many files":       {raw(t, file("a", 1), file("b", 1), file("c", 1)), "more than 2 files"},
		"a file twice":     {raw(t, file("a", 1), file("a", 1)), "file exists"},
		"a file as folder": {raw(t, file("a", 1), file("a/b", 1)), "a/b"},
		"no archive":       {[]byte("<html>"), "not a gzip archive"},
		"cut off":          {raw(t, file("a", 90))[:60], "unexpected EOF"},
	} {
		_, root := into(t)
		err := Extract(bytes.NewReader(c.archive), root, Bounds{2, 100})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, must say %q", name, err, c.says)
		}
	}
	_, root := into(t)
	if err := Extract(bytes.NewReader(raw(t, file("a", 60), file("b", 40))), root, Bounds{2, 100}); err != nil {
		t.Errorf("at the bounds: %v", err)
	}
}

// What is unpacked lies within its folder, as plain files, within the bounds, whatever the archive says.
func FuzzExtract(f *testing.F) {
	for damaged := range testbed.Damaged(packed(f, File{Name: "server.yaml", Data: []byte("name: x\n")},
		File{Name: "target/x.jar", Data: []byte("PK")})) {
		f.Add(damaged)
	}
	f.Add(raw(f, tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: ".."}, tar.Header{Typeflag: tar.TypeReg, Name: "a/b"}))
	f.Add(raw(f, tar.Header{Typeflag: tar.TypeReg, Name: "../b", Size: 3}))
	f.Fuzz(func(t *testing.T, archive []byte) {
		above := t.TempDir()
		dir := filepath.Join(above, "in")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		bounds := Bounds{Files: 4, Bytes: 10_000}
		failed := Extract(bytes.NewReader(archive), root, bounds)
		var files int
		var size int64
		err = filepath.WalkDir(above, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			if !info.Mode().IsRegular() || !strings.HasPrefix(path, dir+"/") {
				t.Errorf("%s: %v", path, info.Mode())
			}
			files++
			size += info.Size()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		// What goes beyond a bound is cut off one byte later and refused.
		if files > bounds.Files || size > bounds.Bytes+1 || failed == nil && size > bounds.Bytes {
			t.Errorf("%d files of %d bytes, %v", files, size, failed)
		}
	})
}
