package evidence

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

type finding struct {
	Place
	Value float64 `json:"value"`
}

func TestFile_isReadAgainAndAppendedTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "found.jsonl")
	first, second := finding{Place{"host", "abc"}, 1.5}, finding{Place{"host", "def"}, 2}
	for _, one := range []finding{first, second} {
		file, err := Open[finding](path)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Add(one); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Open[finding](path)
	if err != nil || !slices.Equal(again.All, []finding{first, second}) {
		t.Errorf("read again: %+v, %v", again, err)
	}
}

func TestFile_saysWhichLineIsBroken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "found.jsonl")
	if err := os.WriteFile(path, []byte("{\"value\":1}\n{\"val"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open[finding](path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("must name line 2: %v", err)
	}
}

func TestHere_namesTheMachineAndTheCommitAndRefusesChanges(t *testing.T) {
	_, err := exec.LookPath("git")
	testbed.Need(t, err, "install git")
	repository := t.TempDir()
	t.Chdir(repository)
	git := func(args ...string) string {
		t.Helper()
		args = append([]string{"-c", "user.name=test", "-c", "user.email=test@example.org"}, args...)
		said, err := exec.Command("git", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, said)
		}
		return strings.TrimSpace(string(said))
	}
	write := func(path, content string) {
		t.Helper()
		path = filepath.Join(repository, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "--quiet")
	write("agent/cmd/main.go", "package main")
	write("service/Service.java", "class Service {}")
	git("add", "--all")
	git("commit", "--quiet", "--message", "Begin")
	measured := git("log", "-1", "--format=%H")
	write("README.md", "decides nothing")
	git("add", "--all")
	git("commit", "--quiet", "--message", "Say what it is")
	t.Chdir("agent")
	here, err := Here(t.Context(), "../service")
	if err != nil || len(here.Fingerprint) != 64 || here.Commit != measured[:12] {
		t.Errorf("%+v of %s: %v", here, measured, err)
	}
	write("README.md", "decides nothing, changed")
	if again, err := Here(t.Context(), "../service"); err != nil || again != here {
		t.Errorf("what decides nothing was changed: %+v, %v", again, err)
	}
	for _, changed := range []string{"service/Service.java", "agent/internal/new.go"} {
		write(changed, "// changed")
		if _, err := Here(t.Context(), "../service"); err == nil || !strings.Contains(err.Error(), "commit these changes") ||
			!strings.Contains(err.Error(), filepath.Dir(changed)) {
			t.Errorf("%s is not committed: %v", changed, err)
		}
		if p, said, err := Found(t.Context(), "../service"); err != nil || p.Fingerprint != here.Fingerprint || !strings.Contains(said, filepath.Dir(changed)) {
			t.Errorf("%s is not said to be changed: %+v, %q, %v", changed, p, said, err)
		}
		git("add", "--all")
		git("commit", "--quiet", "--message", "Change it")
	}
	if later, err := Here(t.Context(), "../service"); err != nil || later.Commit == here.Commit {
		t.Errorf("committed: %+v after %+v, %v", later, here, err)
	}
}
