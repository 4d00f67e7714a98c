package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"loomboard.dev/agent/internal/server"
)

// sharedFolders is where the folders of trials are that a user other than the agent's has to enter. It lies on a disk,
// where /tmp may be memory.
const sharedFolders = "/var/tmp"

// trialsDir is where the trials of a home have their folders: within it, but for servers of another user, who cannot
// enter it.
func trialsDir(home string, user *server.User) (string, error) {
	if user == nil {
		return filepath.Join(home, "trials"), nil
	}
	return enterable(sharedTrials(home))
}

// sharedTrials is another folder for each home.
func sharedTrials(home string) string {
	digest := sha256.Sum256([]byte(home))
	return filepath.Join(sharedFolders, fmt.Sprintf("loomboard-trials-%x", digest[:4]))
}

// enterable makes a folder that everybody may enter and only this user may list or change. One that is there already
// may be somebody's trap, since anybody can make folders beside it.
func enterable(path string) (string, error) {
	if err := os.Mkdir(path, 0o711); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("folder of the trials: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return "", fmt.Errorf("folder of the trials: %w", err)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(stat.Uid) != os.Geteuid() {
		return "", fmt.Errorf("%s is for the folders of trials, but is somebody else's: remove it", path)
	}
	return path, os.Chmod(path, 0o711)
}

// workDir is a new folder for one command, which servers can enter.
func workDir(name string, user *server.User) (string, error) {
	if user == nil {
		return os.MkdirTemp("", name)
	}
	dir, err := os.MkdirTemp(sharedFolders, name) // the usual place may be below a closed home
	if err != nil {
		return "", err
	}
	return enterable(dir)
}
