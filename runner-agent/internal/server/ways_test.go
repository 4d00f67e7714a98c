package server

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestStart_gives_a_server_its_environment_and_files(t *testing.T) {
	l := liveLaunch(t, "plain")
	dir := t.TempDir()
	l.Spec.Dir = dir
	jar, err := os.ReadFile("testdata/tiny/target/tiny.jar")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "target", "tiny.jar"), string(jar))
	write(t, filepath.Join(dir, "conf", "app.properties"), "a=b")
	l.Spec.Files = []string{"conf/app.properties"}
	l.Spec.Environment = map[string]string{"SERVER_URL": "http://{address}:{port}/", "LANG": "xx"}
	p := start(t, l)
	if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	res, err := http.Get(p.BaseURL() + "/env")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if names, err := io.ReadAll(res.Body); err != nil || !slices.Contains(strings.Split(string(names), "\n"), "SERVER_URL") {
		t.Errorf("its variables: %s %v", names, err)
	}
	if text, err := os.ReadFile(filepath.Join(p.launch.Dir, "conf", "app.properties")); err != nil || string(text) != "a=b" {
		t.Errorf("in its working folder: %q %v", text, err)
	}
	env := p.launch.environment(func(string) string { return "agent's" })
	if !slices.Contains(env, "SERVER_URL="+p.BaseURL()+"/") || !slices.Contains(env, "LANG=xx") || slices.Contains(env, "LANG=agent's") {
		t.Errorf("%q", env)
	}
}

func TestWaitReady_by_its_port_and_by_a_line(t *testing.T) {
	for name, r := range map[string]Readiness{"port": {Port: true}, "line": {Log: "^listen.ng$"}} {
		t.Run(name, func(t *testing.T) {
			l := liveLaunch(t, "plain")
			l.Spec.Readiness = r
			p := start(t, l)
			if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
				t.Fatal(err)
			}
			if name == "line" && !strings.Contains(p.LastLines(), "listening") {
				t.Error("ready before the line was printed")
			}
		})
	}
	l := liveLaunch(t, "plain")
	l.Spec.Readiness = Readiness{Log: "never printed"}
	p := start(t, l)
	if _, err := p.WaitReady(t.Context(), 3*time.Second); err == nil || !strings.Contains(err.Error(), "it has printed no line that matches never printed") {
		t.Errorf("%v", err)
	}
}

// A JVM prints its threads for QUIT and goes on, so only the grace ends it.
func TestStop_by_another_signal_and_grace(t *testing.T) {
	l := liveLaunch(t, "plain")
	grace := 0.5
	l.Spec.Stop = &Stop{Signal: "QUIT", GraceSeconds: &grace}
	p := start(t, l)
	if _, err := p.WaitReady(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if exit, err := p.Stop(t.Context()); err != nil || !exit.Killed {
		t.Errorf("%+v %v", exit, err)
	}
	text, err := os.ReadFile(p.OutputPath())
	if err != nil || !strings.Contains(string(text), "Full thread dump") {
		t.Errorf("it was not asked by QUIT: %v", err)
	}
}
