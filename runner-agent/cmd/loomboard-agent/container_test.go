package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// helloProgram needs nothing of an image: it is linked statically.
const helloProgram = `package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	panic(http.ListenAndServe(os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })))
}
`

// engineImage gives the engine an image of one program, and takes it away when the test has ended.
func engineImage(t *testing.T, name string) {
	t.Helper()
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "hello")
	if err := os.WriteFile(source, []byte(helloProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", program, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	if err := w.WriteHeader(&tar.Header{Name: "hello", Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	load := exec.Command("docker", "import", "--change", `ENTRYPOINT ["/hello"]`, "-", name)
	load.Stdin = &files
	if said, err := load.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	t.Cleanup(func() { _ = exec.Command("docker", "image", "rm", name).Run() })
}

func TestTry_ofAContainerOfARealEngine(t *testing.T) {
	testbed.NeedEngine(t)
	image := fmt.Sprintf("loomboard-test-%d:1", os.Getpid())
	engineImage(t, image)
	folder := testbed.ContainerFolder(t, "image: "+image)
	for _, args := range [][]string{{"verify", folder}, {"try", folder, "--seconds", "2"}} {
		if err := dispatch(t.Context(), args); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
	if left, err := exec.Command("docker", "ps", "--all", "--quiet", "--filter", "ancestor="+image).Output(); err != nil || strings.TrimSpace(string(left)) != "" {
		t.Errorf("left over: %s, %v", left, err)
	}
}
