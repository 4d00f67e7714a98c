package server

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// User is whom servers run as where the agent may choose: somebody who can read neither the agent's files nor its key.
type User struct {
	Name     string
	UID, GID int
}

// users are looked for in this order. One must have an entry in /etc/passwd: without, HotSpot writes no counters,
// and no collection could be proven. Nobody is everywhere, but other programs may run as nobody, too.
var users = []string{"loomboard-server", "nobody"}

// ErrShared says that servers run as the agent's own user, who can read its key.
var ErrShared = errors.New("servers run as the agent's own user")

// capabilities are those that root needs to start a server as another user and to see it from outside as well as one
// of its own; a container may have taken some. By their bits in /proc/self/status.
var capabilities = map[string]uint{"CAP_CHOWN": 0, "CAP_DAC_OVERRIDE": 1, "CAP_KILL": 5, "CAP_SETGID": 6,
	"CAP_SETUID": 7, "CAP_SYS_PTRACE": 19}

// FindUser is whom servers can run as; ErrShared where this process may not change users.
func FindUser() (*User, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrShared, err)
	}
	if lacks := lacking(string(status), os.Geteuid()); lacks != "" {
		return nil, fmt.Errorf("%w: %s", ErrShared, lacks)
	}
	return findUser(user.Lookup)
}

// lacking is what a process needs to change users and has not; empty: nothing. A user that is not root could start
// a JVM of another one, but not attach to it: HotSpot takes root and its own user only.
func lacking(status string, euid int) string {
	if euid != 0 {
		return "the agent is not root"
	}
	var has uint64
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, "CapEff:"); ok {
			has, _ = strconv.ParseUint(strings.TrimSpace(value), 16, 64) // else it has none
		}
	}
	var lacks []string
	for name, bit := range capabilities {
		if has&(1<<bit) == 0 {
			lacks = append(lacks, name)
		}
	}
	if len(lacks) == 0 {
		return ""
	}
	slices.Sort(lacks)
	return "root has no " + strings.Join(lacks, ", ") + " here"
}

func findUser(lookup func(string) (*user.User, error)) (*User, error) {
	for _, name := range users {
		found, err := lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.Atoi(found.Uid)
		gid, errGID := strconv.Atoi(found.Gid)
		if err := errors.Join(errUID, errGID); err != nil || uid == 0 || gid == 0 {
			return nil, fmt.Errorf("%w: user %s must have ids of its own other than root's", ErrShared, name)
		}
		return &User{name, uid, gid}, nil
	}
	return nil, fmt.Errorf("%w: there is no user %s", ErrShared, strings.Join(users, " or "))
}

// CanRead is an error where the user cannot reach or read a file or folder. It goes by owner and mode: who lets the
// user in by an access list has to let all in.
func (u User) CanRead(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for _, start := range slices.Compact([]string{filepath.Clean(path), real}) {
		need := os.FileMode(4)
		for at := start; ; at, need = filepath.Dir(at), 1 {
			info, err := os.Stat(at)
			if err != nil {
				return err
			}
			if u.bits(info)&need == 0 {
				return fmt.Errorf("%s is closed to user %s", at, u.Name)
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return nil
}

// bits are what the user may do with a file: read 4, write 2, enter 1.
func (u User) bits(info os.FileInfo) os.FileMode {
	mode := info.Mode().Perm()
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && int(stat.Uid) == u.UID:
		return mode >> 6
	case ok && int(stat.Gid) == u.GID:
		return mode >> 3 & 7
	}
	return mode & 7
}

// Credential starts a process as the user, with no other groups.
func (u *User) Credential() *syscall.Credential {
	if u == nil {
		return nil // as this process
	}
	return &syscall.Credential{Uid: uint32(u.UID), Gid: uint32(u.GID)}
}

// handOver lets the user read all that lies in a trial's folder and add files of its own. The folder stays the
// agent's and is sticky, as /tmp: what the agent has put there cannot be changed, removed or replaced by a link that
// leads the agent elsewhere. It comes last, when the agent writes there no more. Modes are set while what they are of is the
// agent's own: a root that has the capabilities above and no others may change no others' modes.
func (u *User) handOver(dir string) error {
	if u == nil {
		return nil
	}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.Mode()&os.ModeSymlink != 0 {
			return err
		}
		mode := info.Mode().Perm() | 0o044
		if mode&0o100 != 0 {
			mode |= 0o011
		}
		return os.Chmod(path, mode)
	})
	tmp := filepath.Join(dir, tmpName)
	err = errors.Join(err, os.Chmod(tmp, 0o700), os.Chown(tmp, u.UID, u.GID),
		os.Chown(dir, os.Geteuid(), u.GID), os.Chmod(dir, os.ModeSticky|0o770))
	if err != nil {
		return fmt.Errorf("handing the trial's folder over to user %s: %w", u.Name, err)
	}
	for at := filepath.Dir(dir); at != filepath.Dir(at); at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return err
		}
		if u.bits(info)&1 == 0 {
			return fmt.Errorf("user %s cannot enter a folder above the trial's", u.Name) // which one is nobody's business
		}
	}
	return nil
}
