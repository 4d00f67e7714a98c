package jvmti

import (
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

func TestExtract_is_for_all_to_load_and_for_nobody_to_change(t *testing.T) {
	path, err := Extract(t.TempDir(), "gnu 2.36")
	if errors.Is(err, ErrNone) {
		testbed.Need(t, err, "install gcc, then make build")
	}
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]os.FileMode{path: 0o555, filepath.Dir(path): os.ModeDir | 0o755} {
		info, err := os.Stat(file)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", file, info.Mode(), err, want)
		}
	}
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if want := machines[runtime.GOARCH]; f.Machine != want {
		t.Errorf("built for %s, this is %s", f.Machine, want)
	}
}

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

func TestLibraries_are_of_the_architecture_they_name(t *testing.T) {
	entries, err := libraries.ReadDir("lib")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for arch, want := range machines {
			if e.Name() != "liblbcontention-"+arch+".so" {
				continue
			}
			f, err := elf.Open(filepath.Join("lib", e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if f.Machine != want {
				t.Errorf("%s is built for %s", e.Name(), f.Machine)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			t.Logf("%s is there", e.Name())
		}
	}
}

func TestExtract_refuses_another_libc(t *testing.T) {
	if _, err := Extract(t.TempDir(), "musl"); !errors.Is(err, ErrNone) {
		t.Errorf("%v, want ErrNone", err)
	}
}
