package jdk

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Options says where Discover looks. The zero value means this machine.
type Options struct {
	Env      func(string) string // os.Getenv when nil
	Dirs     []string            // folders of JDKs; DefaultDirs when nil
	Also     []string            // more folders of JDKs: what a provider has brought
	CacheDir string              // for digests; the user's cache folder when empty, none when there is none
}

// DefaultDirs are the folders in which JDKs are looked for, besides the environment's: those of packages, and where people unpack
// archives.
func DefaultDirs() []string {
	return []string{"/usr/lib/jvm", "/usr/java", "/usr/local", "/opt", "/opt/jdks"}
}

// Places is where a JDK is found without being named, in words.
const Places = "/usr/lib/jvm, /opt or your home"

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
	for _, dir := range slices.Concat(o.Dirs, ownDirs(o.Env), o.Also) {
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

// ownDirs are the user's: SDKMAN's, that of development tools, and the home itself, where archives are unpacked.
func ownDirs(env func(string) string) (dirs []string) {
	home, sdkman := env("HOME"), env("SDKMAN_DIR")
	if home != "" {
		dirs = append(dirs, filepath.Join(home, ".jdks"), home)
		sdkman = cmp.Or(sdkman, filepath.Join(home, ".sdkman"))
	}
	if sdkman != "" {
		dirs = append(dirs, filepath.Join(sdkman, "candidates", "java"))
	}
	return dirs
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
