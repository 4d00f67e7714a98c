package install

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/pack"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/workload"
)

// Names of a package's files besides the server's own, and of what an installed one has.
const (
	WorkloadsName = workload.FileName // shared by all servers of a folder
	VersionName   = "VERSION"
	matricesName  = "matrices" // a folder; shared, too
	receiptName   = server.ReceiptName
	stagingName   = ".staging" // two levels above any server.yaml, so that nobody takes what is there for a server
	lockName      = ".lock"
)

// Folder is where the servers of this machine are: a folder for each, and the workloads that they share.
type Folder struct{ Path string }

// Installed is a server that came from a package.
type Installed struct{ Version, SHA256 string }

// Installed are those that came from packages, by name. What an owner has put there is not among them.
func (f Folder) Installed() (map[string]Installed, error) {
	receipts, err := filepath.Glob(filepath.Join(f.Path, "*", receiptName))
	if err != nil {
		return nil, err
	}
	all := map[string]Installed{}
	for _, path := range receipts {
		digest, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		version, err := os.ReadFile(filepath.Join(filepath.Dir(path), VersionName))
		if err != nil {
			return nil, err
		}
		all[filepath.Base(filepath.Dir(path))] = Installed{strings.TrimSpace(string(version)), strings.TrimSpace(string(digest))}
	}
	return all, nil
}

// Package is a file to be installed.
type Package struct {
	File   *os.File // its content, from the beginning
	Name   string   // the server's; empty: whatever the file says
	SHA256 string   // what is accepted
}

// Install unpacks packages and puts each in its place whole or not at all; an earlier version gives way. It gives the servers' names.
func (f Folder) Install(packages ...Package) (names []string, err error) {
	if err := os.MkdirAll(f.Path, 0o755); err != nil {
		return nil, err
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	staging := filepath.Join(f.Path, stagingName)
	defer func() { err = errors.Join(err, os.RemoveAll(staging), unlock()) }()
	if err := errors.Join(os.RemoveAll(staging), os.Mkdir(staging, 0o755)); err != nil {
		return nil, err
	}
	var ready []unpacked
	for i, p := range packages {
		u, err := unpack(p, filepath.Join(staging, fmt.Sprint(i)))
		if err != nil {
			return nil, err
		}
		ready, names = append(ready, u), append(names, u.spec.Name)
	}
	if err := f.suit(ready); err != nil {
		return nil, err
	}
	for _, u := range ready {
		if err := f.share(u.dir); err != nil {
			return nil, err
		}
		if err := f.place(u); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// lock keeps out another installation. The kernel releases it with the process.
func (f Folder) lock() (unlock func() error, err error) {
	file, err := os.OpenFile(filepath.Join(f.Path, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another installation into %s is under way: %w", f.Path, err), file.Close())
	}
	return file.Close, nil
}

// unpacked is a package that was found good.
type unpacked struct {
	dir       string
	spec      server.Spec
	workloads workload.Set // that it carries; of a server that is there: none
}

func unpack(p Package, dir string) (u unpacked, err error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, p.File); err != nil {
		return u, err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	if err := compare(p.File.Name(), digest, p.SHA256); err != nil {
		return u, err
	}
	if _, err := p.File.Seek(0, io.SeekStart); err != nil {
		return u, err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return u, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return u, err
	}
	defer root.Close()
	if err := pack.Extract(p.File, root, pack.Bounds{Files: mostFiles, Bytes: mostPackage}); err != nil {
		return u, fmt.Errorf("%s: %w", p.File.Name(), err)
	}
	if u, err = readUnpacked(dir, p.Name); err != nil {
		return u, fmt.Errorf("%s is no server that can be measured: %w", p.File.Name(), err)
	}
	if err := root.WriteFile(receiptName, []byte(digest+"\n"), 0o644); err != nil {
		return u, err
	}
	return u, opened(dir)
}

func readUnpacked(dir, name string) (unpacked, error) {
	spec, err := server.LoadSpec(filepath.Join(dir, "server.yaml"))
	if err != nil {
		return unpacked{}, err
	}
	if !spec.HasJVM() {
		return unpacked{}, fmt.Errorf("server %s is of kind %s, and packages hold servers with a JVM", spec.Name, spec.Kind)
	}
	workloads, err := workload.Load(filepath.Join(dir, WorkloadsName))
	if err != nil {
		return unpacked{}, err
	}
	if name != "" && spec.Name != name {
		return unpacked{}, fmt.Errorf("it is called %s, expected was %s", spec.Name, name)
	}
	if lacking := workloads.Lacking(spec.Workloads); len(lacking) > 0 {
		return unpacked{}, fmt.Errorf("it names workloads that it does not describe: %v", lacking)
	}
	if err := spec.Describe(dir, workloads); err != nil {
		return unpacked{}, err
	}
	version, err := os.ReadFile(filepath.Join(dir, VersionName))
	if err != nil {
		return unpacked{}, err
	}
	if !versionForm.MatchString(strings.TrimSpace(string(version))) {
		return unpacked{}, fmt.Errorf("version %q is not of its form", version)
	}
	_, err = spec.Digest() // its jar is there
	return unpacked{dir, spec, workloads}, err
}

// opened lets all read a folder, whatever this process's umask is: servers may run as another user.
func opened(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}

// suit refuses packages beside which another server would mean something else by a workload, and those in whose place something is
// that came from no package.
func (f Folder) suit(ready []unpacked) error {
	all := slices.Clone(ready)
	for _, u := range ready {
		at := filepath.Join(f.Path, u.spec.Name)
		_, missing := os.Lstat(at)
		_, foreign := os.Lstat(filepath.Join(at, receiptName))
		if u.spec.Name == matricesName || missing == nil && foreign != nil {
			return fmt.Errorf("%s did not come from a package, so it stays: remove it, or name another folder by --servers", at)
		}
	}
	present, err := f.present()
	if err != nil {
		return err
	}
	for _, p := range present {
		if !slices.ContainsFunc(ready, func(u unpacked) bool { return u.spec.Name == p.spec.Name }) {
			all = append(all, p)
		}
	}
	for _, u := range ready {
		for _, other := range all {
			for _, w := range other.spec.Workloads {
				mine, known := u.workloads[w]
				if (known || !other.spec.Owns(w)) && !reflect.DeepEqual(other.spec.Described[w], mine) {
					return fmt.Errorf("workload %s of %s is not that of %s, and a machine has one: install both in one version",
						w, u.spec.Name, other.spec.Name)
				}
			}
		}
	}
	return nil
}

// present are the servers in the folder, from any source.
func (f Folder) present() ([]unpacked, error) {
	if server.None(f.Path) {
		return nil, nil
	}
	specs, err := server.LoadFolder(f.Path)
	if err != nil {
		return nil, err
	}
	var all []unpacked
	for _, s := range specs {
		all = append(all, unpacked{dir: s.Dir, spec: s})
	}
	return all, nil
}

// share puts what all servers have in common beside them.
func (f Folder) share(from string) error {
	shared, err := filepath.Glob(filepath.Join(from, matricesName, "*.yaml"))
	if err != nil {
		return err
	}
	for _, path := range append(shared, filepath.Join(from, WorkloadsName)) {
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(f.Path, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := durable.Write(to, text); err != nil {
			return err
		}
		if err := os.Chmod(to, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// place exchanges folders at once where the file system can; else there is a moment in which there is neither.
func (f Folder) place(u unpacked) error {
	at := filepath.Join(f.Path, u.spec.Name)
	err := unix.Renameat2(unix.AT_FDCWD, u.dir, unix.AT_FDCWD, at, unix.RENAME_EXCHANGE)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(u.dir, at)
	} else if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		if err = os.Rename(at, u.dir+".old"); err == nil || errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(u.dir, at)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return durable.SyncFolder(f.Path)
}
