package testbed

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// NeedEngine ends the test where no container engine runs, or where LOOMBOARD_TEST_ENGINE=none says that none is to be used.
func NeedEngine(t testing.TB) {
	t.Helper()
	if os.Getenv("LOOMBOARD_TEST_ENGINE") == "none" {
		t.Skip("LOOMBOARD_TEST_ENGINE=none: no container is started")
	}
	if said, err := exec.Command("docker", "ps", "--quiet").CombinedOutput(); err != nil {
		Need(t, fmt.Errorf("no container engine answers: %w: %s", err, said), "start docker, or set LOOMBOARD_TEST_ENGINE=none")
	}
}

// Engine is a command that behaves as docker does, in its own folder, which is the PATH's first. A container is this test's own
// program, in a session of its own, so that it outlives the command that runs it.
type Engine struct{ Folder string }

// ImageID is the id of the one image that a fake engine has, app:1.
const ImageID = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// FakeEngine is first on the PATH.
func FakeEngine(t testing.TB) Engine {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e := Engine{t.TempDir()}
	script := strings.NewReplacer("FOLDER", e.Folder, "PROGRAM", program, "ARGUMENT", PlainServer).Replace(fakeEngine)
	if err := os.WriteFile(filepath.Join(e.Folder, "docker"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	e.Put(t, "id", "sha256:"+ImageID)
	t.Setenv("PATH", e.Folder+":"+os.Getenv("PATH"))
	return e
}

// Put writes one of its files: id (of the image; empty: there is none), loaded (what load prints), stale (names of containers).
func (e Engine) Put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.Folder, name), []byte(text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Asked are the command lines so far that begin with a word.
func (e Engine) Asked(t testing.TB, word string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(e.Folder, "asked"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, word+" ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

const fakeEngine = `#!/bin/sh
cd 'FOLDER' || exit 1
echo "$*" >> asked
verb=$1; shift
for last; do :; done
case $verb in
ps) [ "$1" = --quiet ] || cat stale 2>/dev/null || true ;;
image) id=$(cat id); [ -n "$id" ] && echo "$id" || { echo "Error: No such image: $last" >&2; exit 1; } ;;
load) cat loaded ;;
inspect) [ -f "$last.pid" ] && echo "$(cat "$last.pid") 1234567890ab" || { echo "Error: No such container: $last" >&2; exit 1; } ;;
rm)
  [ -f "$last.pid" ] || { echo "Error: No such container: $last" >&2; exit 1; }
  kill -KILL "$(cat "$last.pid")" 2>/dev/null
  rm "$last.pid"; echo "$last" ;;
run)
  while [ "$1" != "$(cut -d: -f2 id)" ]; do
    case $1 in --name=*) name=${1#--name=} ;; --env-file=*) set -a; . "${1#--env-file=}"; set +a ;; esac
    shift
  done
  shift
  trap 'kill -TERM $pid' TERM; trap 'kill -INT $pid' INT; trap '' HUP
  setsid 'PROGRAM' ARGUMENT "$@" &
  pid=$!
  echo $pid > "$name.pid"
  wait $pid; code=$?
  while kill -0 $pid 2>/dev/null; do wait $pid; code=$?; done
  exit $code ;;
*) echo "unknown command $verb" >&2; exit 1 ;;
esac
`

// ContainerFolder is that of a server of kind container, whose image a fake engine has. Lines are as of PlainFolder.
func ContainerFolder(t testing.TB, lines ...string) string {
	t.Helper()
	return PlainFolder(t, append([]string{"kind: container", "name: contained", "image: app:1", "command: ['{address}:{port}']"}, lines...)...)
}
