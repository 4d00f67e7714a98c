package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// basics are the programs of a bare machine; of curl and wget it has the first that is here.
var basics = strings.Fields(`sh tar gzip sed grep
	basename cat chmod chown cp cut date df dirname du echo env false head id ln ls mkdir mktemp mv nproc printf pwd readlink rm rmdir
	sha256sum sleep sort stat tail tee test touch tr true uname uniq wc`)

// ofLibc are libraries that every system with GNU's C library has, beside it.
var ofLibc = []string{"libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libutil.so.1"}

// ofService are programs and libraries that the service's README asks for besides.
var ofService = neighbours{[]string{"setsid", "unshare"}, []string{"libstdc++.so.6", "libgcc_s.so.1"}}

// neighbours are programs, and libraries that lie beside the C library.
type neighbours struct{ programs, libraries []string }

// ofJDK are what a program without a screen loads of a JDK, for the libraries that these need in turn.
var ofJDK = []string{"bin/java", "lib/server/libjvm.so", "lib/libjava.so", "lib/libjli.so", "lib/libnet.so", "lib/libnio.so", "lib/libzip.so"}

// bareRoot makes the files of a machine that has the basics, folders to mount into, and what else is named.
func bareRoot(root, jdk string, alsoFolders []string, also neighbours) error {
	for _, dir := range append([]string{"bin", "etc", "proc", "sys", "dev", "opt", "usr/bin", "usr/local/bin", "var/lib"}, alsoFolders...) {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			return err
		}
	}
	for _, dir := range []string{"tmp", "var/tmp"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(root, dir), 0o755), os.Chmod(filepath.Join(root, dir), os.ModeSticky|0o777)); err != nil {
			return err
		}
	}
	if err := people(root); err != nil {
		return err
	}
	needs := map[string]bool{}
	for _, name := range slices.Concat(basics, also.programs, []string{downloader()}) {
		path, err := exec.LookPath(name)
		if err != nil {
			return fmt.Errorf("a bare machine has %s: %w", name, err)
		}
		if err := copyFile(path, filepath.Join(root, "bin", name)); err != nil {
			return err
		}
		if err := libraries(path, needs); err != nil {
			return err
		}
	}
	for _, name := range ofJDK {
		if err := libraries(filepath.Join(jdk, name), needs); err != nil {
			return err
		}
	}
	for path := range needs {
		if strings.HasPrefix(path, jdk+"/") {
			continue
		}
		if err := copyFile(path, filepath.Join(root, path)); err != nil {
			return err
		}
		if filepath.Base(path) != "libc.so.6" {
			continue
		}
		for _, name := range slices.Concat(ofLibc, also.libraries) {
			beside := filepath.Join(filepath.Dir(path), name)
			if err := copyFile(beside, filepath.Join(root, beside)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

func downloader() string {
	if _, err := exec.LookPath("curl"); err == nil {
		return "curl"
	}
	return "wget"
}

// people are root and one other, with their homes.
func people(root string) error {
	for name, text := range map[string]string{
		"passwd": fmt.Sprintf("root:x:0:0:root:%s:/bin/sh\nperson:x:%d:%d::%s:/bin/sh\n", homeOf(0), person, person, homeOf(person)),
		"group":  fmt.Sprintf("root:x:0:\nperson:x:%d:\n", person),
		"hosts":  "127.0.0.1 localhost bare\n",
	} {
		if err := os.WriteFile(filepath.Join(root, "etc", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, user := range []int{0, person} {
		home := filepath.Join(root, homeOf(user))
		if err := errors.Join(os.MkdirAll(home, 0o755), os.Chown(home, user, user)); err != nil {
			return err
		}
	}
	return nil
}

var libraryPath = regexp.MustCompile(`(/\S+) \(0x`)

// libraries adds what a program needs to be loaded.
func libraries(path string, to map[string]bool) error {
	said, err := exec.Command("ldd", path).CombinedOutput()
	if err != nil && !bytes.Contains(said, []byte("not a dynamic executable")) {
		return fmt.Errorf("ldd %s: %w: %s", path, err, said)
	}
	for _, found := range libraryPath.FindAllSubmatch(said, -1) {
		to[string(found[1])] = true
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
