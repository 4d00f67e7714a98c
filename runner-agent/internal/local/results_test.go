package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/provide"
)

func TestShipped_isReadFromTheServicesLog(t *testing.T) {
	log := "12:00:00.000 INFO  FirstStartConfig Loomboard is at http://localhost:8080/\n" +
		"12:00:01.000 WARN  ShippedResultsConfig Shipped results: io-2.loomboard.zip was not imported: it is damaged\n"
	if said := shippedIn(log); said.Done != "" || len(said.Problems) != 1 {
		t.Errorf("while it imports: %+v", said)
	}
	said := shippedIn(log + "12:00:02.000 INFO  ShippedResultsConfig Shipped results: done, 1 of 2 runs are at http://localhost:8080/w/shipped-results\n")
	if said.Done != "1 of 2 runs are at http://localhost:8080/w/shipped-results" ||
		strings.Join(said.Problems, "") != "io-2.loomboard.zip was not imported: it is damaged" {
		t.Errorf("when it has: %+v", said)
	}
}

// The lines that are looked for are those that the service writes.
func TestShipped_isWhatTheServiceSays(t *testing.T) {
	source, err := os.ReadFile("../../../backend/src/main/java/dev/loomboard/runimport/ShippedResultsConfig.java")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`LOG.warn("Shipped results: {}", problem)`, `"Shipped results: done, {} of {} runs are at {}"`,
		`LOG.error("Shipped results: done, none could be imported", e)`} {
		if !strings.Contains(string(source), line) {
			t.Errorf("the service no longer writes %s", line)
		}
	}
}

func TestConfigure_saysPinAndProviderInTheAgentsConfigurationAndLeavesTheRest(t *testing.T) {
	o := Options{Data: t.TempDir()}
	if err := configure(o); err != nil {
		t.Errorf("nothing to say: %v", err)
	}
	o.Pin = "apart"
	if err := configure(o); err == nil {
		t.Error("there is no configuration")
	}
	path := filepath.Join(agentHome(o), "agent.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"url": "http://localhost:1", "pin": "shared"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := configure(o); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(content), `"pin": "apart"`) || !strings.Contains(string(content), `"url": "http://localhost:1"`) {
		t.Errorf("it is %s, %v", content, err)
	}
	other := Options{Data: o.Data, JDKProvider: &provide.Settings{Distributions: []string{"temurin"}, Every: "1m"}}
	if err := configure(other); err != nil {
		t.Fatal(err)
	}
	content, err = os.ReadFile(path)
	for _, want := range []string{`"pin": "apart"`, `"temurin"`, `"every": "1m"`} {
		if err != nil || !strings.Contains(string(content), want) {
			t.Errorf("it is %s, %v, without %s", content, err, want)
		}
	}
}
