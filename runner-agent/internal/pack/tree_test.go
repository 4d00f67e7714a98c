package pack

import (
	"archive/tar"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

func TestExtractTree_unpacksAJDKWithoutItsFolder(t *testing.T) {
	dir, root := into(t)
	archive := testbed.TarGz(t, testbed.JDKFiles("Eclipse Adoptium", "28-ea+18")...)
	if err := ExtractTree(bytes.NewReader(archive), root, Bounds{100, 10_000}); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]fs.FileMode{"bin": 0o755, "bin/java": 0o755, "release": 0o644, "legal/java.base/LICENSE": 0o644} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, must be %v", name, info, err, mode)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "legal/java.sql/LICENSE")); err != nil || string(text) != "GPL" {
		t.Errorf("through its link: %q, %v", text, err)
	}
}

func file(name string) testbed.TarFile {
	return testbed.TarFile{Header: tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o4755}, Content: []byte("x")}
}

func link(name, target string) testbed.TarFile {
	return testbed.TarFile{Header: tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target}}
}

func other(kind byte, name string) testbed.TarFile {
	return testbed.TarFile{Header: tar.Header{Typeflag: kind, Name: name, Linkname: "jdk/a"}}
}

func TestExtractTree_refusesWhatLeadsOutOrIsNoTree(t *testing.T) {
	for name, c := range map[string]struct {
		files []testbed.TarFile
		says  string
	}{
		"absolute":                  {[]testbed.TarFile{file("/etc/passwd")}, "no name within"},
		"upwards":                   {[]testbed.TarFile{file("jdk/../../b")}, "no name within"},
		"two folders":               {[]testbed.TarFile{file("jdk/a"), file("other/b")}, `lies beside "jdk"`},
		"no folder":                 {[]testbed.TarFile{file("a")}, "lies in no folder"},
		"hard link":                 {[]testbed.TarFile{file("jdk/a"), other(tar.TypeLink, "jdk/b")}, "nothing else is unpacked"},
		"device":                    {[]testbed.TarFile{other(tar.TypeChar, "jdk/b")}, "nothing else is unpacked"},
		"pipe":                      {[]testbed.TarFile{other(tar.TypeFifo, "jdk/b")}, "nothing else is unpacked"},
		"link out":                  {[]testbed.TarFile{link("jdk/a", "../x")}, "not known to lie"},
		"link far out":              {[]testbed.TarFile{link("jdk/a/b", "../../../etc/passwd")}, "not known to lie"},
		"absolute link":             {[]testbed.TarFile{link("jdk/a", "/etc/passwd")}, "not known to lie"},
		"link of nothing":           {[]testbed.TarFile{link("jdk/a", "")}, "not known to lie"},
		"link out by way of a link": {[]testbed.TarFile{link("jdk/s", "."), link("jdk/a", "s/s/../../x")}, "not known to lie"},
		"through a link":            {[]testbed.TarFile{link("jdk/s", "."), file("jdk/s/a")}, "file exists"},
		"a link through a link":     {[]testbed.TarFile{link("jdk/s", "."), link("jdk/s/a/b", "../../x")}, "file exists"},
		"a folder that is a link":   {[]testbed.TarFile{link("jdk/s", "."), other(tar.TypeDir, "jdk/s/")}, "file exists"},
		"twice":                     {[]testbed.TarFile{file("jdk/a"), file("jdk/a")}, "file exists"},
		"many":                      {[]testbed.TarFile{file("jdk/a"), file("jdk/b"), file("jdk/c"), file("jdk/d")}, "more than 3 files"},
		"large":                     {[]testbed.TarFile{{Header: file("jdk/a").Header, Content: make([]byte, 101)}}, "larger than allowed"},
	} {
		_, root := into(t)
		err := ExtractTree(bytes.NewReader(testbed.TarGz(t, c.files...)), root, Bounds{3, 100})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, must say %q", name, err, c.says)
		}
	}
}

// Whatever an archive says, what is unpacked and where its links lead lies within its folder, and nobody gets more rights by it.
func FuzzExtractTree(f *testing.F) {
	for damaged := range testbed.Damaged(testbed.TarGz(f, testbed.JDKFiles("Eclipse Adoptium", "28-ea+18")...)) {
		f.Add(damaged)
	}
	f.Add(testbed.TarGz(f, link("jdk/s", "."), link("jdk/a", "s/s/../../x"), file("jdk/a/b")))
	f.Add(testbed.TarGz(f, file("jdk/d/e/f"), link("jdk/s", "d/e"), link("jdk/t", "s/../../..")))
	f.Fuzz(func(t *testing.T, archive []byte) {
		above, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(above, "in")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		_ = ExtractTree(bytes.NewReader(archive), root, Bounds{Files: 20, Bytes: 10_000})
		err = filepath.WalkDir(above, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || path == above {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			if path != dir && !strings.HasPrefix(path, dir+"/") || info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeDevice|fs.ModeNamedPipe) != 0 {
				t.Errorf("%s: %v", path, info.Mode())
			}
			if info.Mode()&fs.ModeSymlink != 0 {
				if leads, err := filepath.EvalSymlinks(path); err == nil && leads != dir && !strings.HasPrefix(leads, dir+"/") {
					t.Errorf("%s leads to %s", path, leads)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
