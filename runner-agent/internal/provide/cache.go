package provide

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/jdk"
)

// cache is a folder of JDK homes. Beside each that was brought lies a file that says so; what an owner put there has none, is not
// counted and stays.
type cache struct {
	folder string
	most   int64    // bytes of all that was brought
	hold   []string // slugs or identities that stay
}

// Entry is a build that was brought.
type Entry struct {
	Slug     string    `json:"slug"`
	Identity string    `json:"identity"`
	Source   string    `json:"source"`             // temurin 28-ea+18, or command
	Checksum string    `json:"checksum,omitempty"` // of its archive, as sha256:…; empty: it came in none
	Signed   bool      `json:"signed,omitempty"`   // the catalogue offers a signature
	SignedBy string    `json:"signedBy,omitempty"` // fingerprint of the key by which it was checked; empty: it was not
	Bytes    int64     `json:"bytes"`              // unpacked
	Fetched  time.Time `json:"fetched"`
	Used     time.Time `json:"used"`
	Home     string    `json:"-"` // its folder
}

// isOneOf knows the longer slug, too, that a build has where another one shares the short one.
func (e Entry) isOneOf(slugs []string) bool {
	return slices.Contains(slugs, e.Slug) || slices.Contains(slugs, filepath.Base(e.Home))
}

const (
	receiptEnd = ".json"
	workPrefix = ".work-" // of what is not whole: a home lies deeper in it, where nobody looks for one
	lockName   = ".lock"
)

var errBusy = errors.New("another fetch into this cache is under way")

// lock keeps others out and removes what those left that were killed. The kernel releases it with the process.
func (c cache) lock() (unlock func() error, err error) {
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return nil, failed(err, "the cache cannot be made")
	}
	if err := os.Chmod(c.folder, 0o755); err != nil { // servers may run as another user
		return nil, failed(err, "the cache is not this user's")
	}
	file, err := os.OpenFile(filepath.Join(c.folder, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, failed(err, "the cache cannot be written to")
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(failed(errBusy, "it was not begun"), file.Close())
	}
	if err := c.clean(); err != nil {
		return nil, errors.Join(failed(err, "what an earlier fetch left cannot be removed"), file.Close())
	}
	return file.Close, nil
}

// clean is for who has the lock.
func (c cache) clean() error {
	names, err := os.ReadDir(c.folder)
	if err != nil {
		return err
	}
	for _, n := range names {
		path := filepath.Join(c.folder, n.Name())
		_, missing := os.Lstat(strings.TrimSuffix(path, receiptEnd))
		lone := strings.HasSuffix(n.Name(), receiptEnd) && errors.Is(missing, fs.ErrNotExist)
		if lone || strings.HasPrefix(n.Name(), workPrefix) || strings.HasSuffix(n.Name(), durable.HalfWritten) {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// entries are what was brought, the least recently used first.
func (c cache) entries() ([]Entry, error) {
	receipts, err := filepath.Glob(filepath.Join(c.folder, "*"+receiptEnd))
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, path := range receipts {
		e := Entry{Home: strings.TrimSuffix(path, receiptEnd)}
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it is just being removed
		}
		if _, err := os.Stat(filepath.Join(e.Home, "bin", "java")); err == nil && json.Unmarshal(text, &e) == nil {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return a.Used.Compare(b.Used) })
	return all, nil
}

// find is the build for which it is true.
func (c cache) find(is func(Entry) bool) (Entry, bool, error) {
	all, err := c.entries()
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true, err
	}
	return Entry{}, false, err
}

// write puts the file beside a home that is there or is about to be.
func (c cache) write(e Entry) error {
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	return durable.Write(e.Home+receiptEnd, append(text, '\n'))
}

// used notes that a build was wanted just now.
func (c cache) used(e Entry) (Entry, error) {
	e.Used = time.Now().UTC().Truncate(time.Second)
	return e, c.write(e)
}

// place makes room for a build and moves it into the cache. Its file is there first: one without a home is removed by the next fetch.
func (c cache) place(home string, b jdk.Build, e Entry) (Entry, error) {
	e.Slug, e.Identity, e.Home = b.Slug, b.Identity, filepath.Join(c.folder, b.Slug+"-"+b.Identity[:8])
	if _, err := os.Lstat(e.Home); err == nil {
		return e, failed(nil, "the cache has something of its name that was not brought: remove it")
	}
	if err := c.room(e.Bytes); err != nil {
		return e, err
	}
	e.Fetched = time.Now().UTC().Truncate(time.Second)
	e, err := c.used(e)
	if err == nil {
		err = os.Rename(home, e.Home)
	}
	if err == nil {
		err = durable.SyncFolder(c.folder)
	}
	return e, err
}

// room removes the builds that were not used for longest until so many bytes fit.
func (c cache) room(bytes int64) error {
	all, err := c.entries()
	if err != nil {
		return err
	}
	needed, err := c.needed()
	if err != nil {
		return err
	}
	sum, stays := bytes, bytes
	var held []string
	var old []Entry
	var locks []*os.File
	defer func() {
		for _, l := range locks {
			_ = l.Close()
		}
	}()
	for _, e := range all {
		sum += e.Bytes
		if lock := c.mayGo(e, needed); lock != nil {
			old, locks = append(old, e), append(locks, lock)
		} else {
			stays, held = stays+e.Bytes, append(held, e.Slug)
		}
	}
	switch {
	case bytes > c.most:
		return failed(nil, "it has %s, and the cache may have %s (cacheGiB)", size(bytes), size(c.most))
	case stays > c.most:
		return failed(nil, "it has %s, and the cache of %s (cacheGiB) is full with builds that are held: %s", size(bytes), size(c.most),
			strings.Join(held, ", "))
	}
	for _, e := range old {
		if sum <= c.most {
			break
		}
		if err := c.remove(e); err != nil {
			return err
		}
		sum -= e.Bytes
	}
	return nil
}

// mayGo is nil for a build that its owner or a run holds or the service needs; else no run can begin to hold it before the file is closed.
func (c cache) mayGo(e Entry, needed []string) *os.File {
	if e.isOneOf(needed) || e.isOneOf(c.hold) || slices.Contains(c.hold, e.Identity) {
		return nil
	}
	home, err := os.Open(e.Home)
	if err != nil {
		return nil
	}
	if syscall.Flock(int(home.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		_ = home.Close()
		return nil
	}
	return home
}

// remove takes a build out of sight at once: half of one is never seen.
func (c cache) remove(e Entry) error {
	away, err := os.MkdirTemp(c.folder, workPrefix)
	if err != nil {
		return err
	}
	err = os.Rename(e.Home, filepath.Join(away, "old"))
	return errors.Join(err, os.RemoveAll(away), os.Remove(e.Home+receiptEnd))
}

// holdBuilds keeps builds from being removed, also by other programs, until release. The kernel releases them with the process.
func (c cache) holdBuilds(slugs []string) (release func()) {
	all, err := c.entries()
	if err != nil {
		return func() {}
	}
	var open []*os.File
	for _, e := range all {
		if !e.isOneOf(slugs) {
			continue
		}
		home, err := os.Open(e.Home)
		if err != nil {
			continue
		}
		open = append(open, home)
		err = syscall.EINTR
		for errors.Is(err, syscall.EINTR) {
			err = syscall.Flock(int(home.Fd()), syscall.LOCK_SH) // waits while a fetch makes room
		}
		if _, gone := os.Stat(e.Home); err == nil && gone == nil {
			_, _ = c.used(e) // else it counts as used when it was before
		}
	}
	return func() {
		for _, home := range open {
			_ = home.Close()
		}
	}
}

// sizeOf is what the files of a folder have together.
func sizeOf(folder string) (bytes int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}

func size(bytes int64) string {
	if bytes < 10<<20 {
		return fmt.Sprintf("%d KiB", (bytes+1023)>>10)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}
