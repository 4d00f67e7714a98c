package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/draft"
	"loomboard.dev/agent/internal/testbed"
)

func TestInit_writesAFolderThatCanBeVerified(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	servers := t.TempDir()
	into := filepath.Join(servers, "plain")
	args := []string{"init", "--name", "plain", "--into", into, "--", self, testbed.PlainServer, "127.0.0.1:{port}"}
	if err := dispatch(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{{"verify", "--servers", servers}, {"verify", into}} {
		if err := dispatch(t.Context(), words); err != nil {
			t.Errorf("%v: %v", words, err)
		}
	}
	for _, wrong := range [][]string{{"verify", into, "--only", "plain"}, {"verify", into, into}} {
		if code := exitCode(dispatch(t.Context(), wrong), false); code != exitUsage {
			t.Errorf("%v exits with %d", wrong, code)
		}
	}
	t.Chdir(servers)
	if got := fromHere(into); got != "plain" {
		t.Errorf("a folder that lies here is called %s", got)
	}
	if got := fromHere(self); got != self {
		t.Errorf("what lies far off is called %s", got)
	}
	if err := dispatch(t.Context(), args); err == nil || !strings.Contains(err.Error(), "overwrite by --force") {
		t.Errorf("a second time: %v", err)
	}
}

func TestInit_tellsJarCommandAndAddressApart(t *testing.T) {
	for given, want := range map[string]draft.Wish{
		"app.jar":               {Jar: "app.jar"},
		"App.JAR -- --port 1":   {Jar: "App.JAR", Command: []string{"--port", "1"}},
		"shop.war":              {Jar: "shop.war"},
		"-- node server.js":     {Command: []string{"node", "server.js"}},
		"-- java -jar app.jar":  {Command: []string{"java", "-jar", "app.jar"}},
		"./serve -- -p {port}":  {Command: []string{"./serve", "-p", "{port}"}},
		"https://localhost/app": {URL: "https://localhost/app"},
	} {
		var got draft.Wish
		words, command := beforeDashes(strings.Fields(given))
		if err := choose(&got, words, command); err != nil || got.Jar != want.Jar || got.URL != want.URL || strings.Join(got.Command, " ") != strings.Join(want.Command, " ") {
			t.Errorf("%s: %+v, %v", given, got, err)
		}
	}
	for _, wrong := range [][]string{{"init"}, {"init", "a.jar", "b.jar"}, {"init", "http://localhost", "--", "x"}, {"init", "--sideways"}, {"init", "."}, {"init", "--path", "x", "http://localhost"},
		{"init", "--env", "A=1", "http://localhost"}, {"init", "--env", "NOBODY_SETS_THIS", "--", "sleep"}} {
		if code := exitCode(dispatch(t.Context(), wrong), false); code != exitUsage {
			t.Errorf("%v exits with %d", wrong, code)
		}
	}
}

func TestSetVariable_takesItsValueFromHereWhereNoneIsSaid(t *testing.T) {
	t.Setenv("HERE", "a=b")
	var w draft.Wish
	for _, given := range []string{"HERE", "THERE=c=d", "EMPTY="} {
		if err := setVariable(&w, given); err != nil {
			t.Error(err)
		}
	}
	if w.Environment["HERE"] != "a=b" || w.Environment["THERE"] != "c=d" || len(w.Environment) != 3 {
		t.Errorf("%q", w.Environment)
	}
}
