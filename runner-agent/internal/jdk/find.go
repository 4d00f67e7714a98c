package jdk

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Options says where Discover looks. The zero value means this machine.
type Options struct {
	Env      func(string) string // os.Getenv when nil
	Dirs     []string            // folders of JDKs; DefaultDirs when nil
	CacheDir string              // for digests; the user's cache folder when empty, none when there is none
}

// DefaultDirs are the folders in which JDKs are looked for, besides the environment's.
func DefaultDirs() []string { return []string{"/usr/lib/jvm", "/opt/jdks"} }

func (o Options) withDefaults() Options {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Dirs == nil {
		o.Dirs = DefaultDirs()
	}
	if o.CacheDir == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			o.CacheDir = filepath.Join(dir, "loomboard")
		}
	}
	return o
}

// homes lists the real paths of everything that looks like a JDK, each once, in
// the order found, and what the owner named that is none.
func homes(o Options) (found []string, rest []Excluded) {
	seen := map[string]bool{}
	add := func(home string) bool {
		if info, err := os.Stat(filepath.Join(home, "bin", "java")); err != nil || info.IsDir() {
			return false
		}
		real, err := filepath.EvalSymlinks(home)
		if err != nil {
			return false
		}
		if !seen[real] {
			seen[real] = true
			found = append(found, real)
		}
		return true
	}
	addFolder := func(dir string) (any bool) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return false
		}
		for _, e := range entries {
			any = add(filepath.Join(dir, e.Name())) || any
		}
		return any
	}
	for _, named := range filepath.SplitList(o.Env("LOOMBOARD_JDKS")) {
		if named != "" && !add(named) && !addFolder(named) {
			rest = append(rest, excluded(named, "unknown",
				"named in LOOMBOARD_JDKS, but neither it nor a folder in it has bin/java"))
		}
	}
	for _, dir := range append(o.Dirs, sdkmanDir(o.Env)) {
		addFolder(dir)
	}
	if home := o.Env("JAVA_HOME"); home != "" && !add(home) {
		rest = append(rest, excluded(home, "unknown", "named in JAVA_HOME, but has no bin/java"))
	}
	if java := onPath(o.Env("PATH")); java != "" {
		add(filepath.Dir(filepath.Dir(java)))
	}
	return found, rest
}

func sdkmanDir(env func(string) string) string {
	dir := env("SDKMAN_DIR")
	if dir == "" {
		dir = filepath.Join(env("HOME"), ".sdkman")
	}
	return filepath.Join(dir, "candidates", "java")
}

// onPath is the real path of the first java on the path, or empty.
func onPath(path string) string {
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			continue
		}
		java, err := exec.LookPath(filepath.Join(dir, "java"))
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(java); err == nil {
			return real
		}
	}
	return ""
}
