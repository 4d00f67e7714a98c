package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	sharedEcho = "schema: loomboard.workloads/1\nworkloads:\n  echo: {version: 1, method: POST, path: /echo, checks: [{status: 200}]}\n"
	ownVisit   = "schema: loomboard.workloads/1\nworkloads:\n  visit: {version: 1, method: POST, path: /visits, checks: [{status: 200}]}\n"
)

// aFolder of servers by their folders' names; each names the workloads that are given.
func aFolder(t *testing.T, files map[string]string, servers map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	good, err := os.ReadFile("testdata/tiny/server.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, workloads := range servers {
		text := strings.Replace(string(good), "name: tiny", "name: "+name, 1)
		text = strings.Replace(text, "workloads: [echo, ask]\nmethods: {echo: Tiny.answer}", "workloads: "+workloads, 1)
		write(t, filepath.Join(dir, name, "server.yaml"), text)
		write(t, filepath.Join(dir, name, "target", "tiny.jar"), "jar")
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func TestLoadFolder_finds_workloads_beside_a_server(t *testing.T) {
	dir := aFolder(t, map[string]string{"workloads.yaml": sharedEcho, "a/workloads.yaml": ownVisit}, map[string]string{"a": "[echo, visit]", "b": "[echo]"})
	specs, err := LoadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if a := specs[0]; len(a.Described) != 2 || !a.Owns("visit") || a.Owns("echo") || a.Described["visit"].Path != "/visits" {
		t.Errorf("%+v", a.Described)
	}
	alone := aFolder(t, map[string]string{"a/workloads.yaml": ownVisit}, map[string]string{"a": "[visit]"})
	if specs, err := LoadFolder(alone); err != nil || !specs[0].Owns("visit") {
		t.Errorf("a server whose workloads are all its own: %v", err)
	}
}

func TestLoadFolder_lets_a_name_mean_one_thing(t *testing.T) {
	otherEcho := strings.Replace(sharedEcho, "path: /echo", "path: /other", 1)
	otherVisit := strings.Replace(ownVisit, "path: /visits", "path: /other", 1)
	for says, dir := range map[string]string{
		"workload echo of ": aFolder(t, map[string]string{"workloads.yaml": sharedEcho, "a/workloads.yaml": otherEcho}, map[string]string{"a": "[echo]"}),
		"workload visit of server b is not that of server a": aFolder(t, map[string]string{"a/workloads.yaml": ownVisit, "b/workloads.yaml": otherVisit},
			map[string]string{"a": "[visit]", "b": "[visit]"}),
		"does not describe: none; describe them there": aFolder(t, map[string]string{"workloads.yaml": sharedEcho}, map[string]string{"a": "[echo, none]"}),
		"a/workloads.yaml is not valid": aFolder(t, map[string]string{"workloads.yaml": sharedEcho, "a/workloads.yaml": "schema: x\n"},
			map[string]string{"a": "[echo]"}),
	} {
		if _, err := LoadFolder(dir); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, must say %q", err, says)
		}
	}
	same := aFolder(t, map[string]string{"workloads.yaml": sharedEcho, "a/workloads.yaml": sharedEcho}, map[string]string{"a": "[echo]"})
	if specs, err := LoadFolder(same); err != nil || specs[0].Owns("echo") {
		t.Errorf("a repeated workload: %v", err)
	}
	installed := aFolder(t, map[string]string{"workloads.yaml": sharedEcho, "a/workloads.yaml": otherEcho, "a/" + ReceiptName: "1"}, map[string]string{"a": "[echo]"})
	if specs, err := LoadFolder(installed); err != nil || specs[0].Described["echo"].Path != "/echo" {
		t.Errorf("an installed package: %v", err)
	}
}

func TestDigest_is_of_workloads_that_no_shared_version_tells_apart(t *testing.T) {
	digest := func(files map[string]string, names string) string {
		t.Helper()
		specs, err := LoadFolder(aFolder(t, files, map[string]string{"a": names}))
		if err != nil {
			t.Fatal(err)
		}
		d, err := specs[0].Digest()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	// Of a server as there were before workloads had bodies and checks of their own: it must never change.
	const before = "b5661bd951f563fdb244e21dfb9e7dbe53b4b42333d9f6e534e73512a5c2f376"
	was := digest(map[string]string{"workloads.yaml": sharedEcho}, "[echo]")
	if was != before {
		t.Errorf("%s, was %s", was, before)
	}
	if got := digest(map[string]string{"workloads.yaml": strings.Replace(sharedEcho, "/echo", "/other", 1)}, "[echo]"); got != was {
		t.Error("a shared workload of a path and parameters is told apart by its version")
	}
	success := strings.Replace(sharedEcho, "checks:", "success: {status: 302}, checks:", 1)
	if got := digest(map[string]string{"workloads.yaml": success}, "[echo]"); got == was {
		t.Error("what success is changes what is measured")
	}
	own := digest(map[string]string{"a/workloads.yaml": sharedEcho}, "[echo]")
	if other := digest(map[string]string{"a/workloads.yaml": strings.Replace(sharedEcho, "/echo", "/other", 1)}, "[echo]"); own == was || other == own {
		t.Error("a server's own workload is not in its digest")
	}
}
