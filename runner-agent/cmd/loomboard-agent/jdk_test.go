package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/provide"
	"loomboard.dev/agent/internal/testbed"
)

func TestJDK_isFetchedIntoTheCacheAndFoundThere(t *testing.T) {
	dir := away(t)
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18"), testbed.JDKBuild(t, "27+35"))
	if err := manageJDKs(t.Context(), []string{"fetch", "28-ea"}); err == nil || !strings.Contains(err.Error(), "no provider of JDKs is configured") {
		t.Errorf("without a provider: %v", err)
	}
	var out bytes.Buffer
	c := jdkCommand{settings: provide.Settings{Catalogue: d.URL, Distributions: []string{"temurin"}}, enabled: true, usual: broughtJDKs(dir), out: &out}
	if err := c.fetch(t.Context(), "28-ea"); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"unpacking temurin 28-ea+18", "temurin-28-ea_18-", dir + "-jdks/temurin-28-ea_18-", "sha256:", "It was not checked"} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("it does not say %q:\n%s", says, out.String())
		}
	}
	found, err := jdk.Discover(t.Context(), jdkOptions(""))
	if err != nil {
		t.Fatal(err)
	}
	var homes []string
	for _, b := range found.Builds {
		homes = append(homes, b.Home)
	}
	if !strings.Contains(strings.Join(homes, " "), "-jdks/temurin-28-ea_18-") {
		t.Errorf("found in %v", homes)
	}
	out.Reset()
	if err := c.list(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"temurin 28-ea+18, fetched ", "temurin  28-ea+18  ea", "temurin  27+35     ga"} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("the list does not say %q:\n%s", says, out.String())
		}
	}
}

func TestProviderSettings_areReadWithoutARegistrationAndKeptByAnother(t *testing.T) {
	dir := away(t)
	path := filepath.Join(dir, "agent.json")
	if s, err := providerSettings(path); s != nil || err != nil {
		t.Errorf("of no file: %v, %v", s, err)
	}
	text, err := json.Marshal(config{URL: "http://127.0.0.1:1", AgentKey: "lba_x", JDKProvider: &provide.Settings{Distributions: []string{"temurin"}, Cache: dir + "/cache"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := jdkOptions(""); len(got.Also) != 1 || got.Also[0] != dir+"/cache" {
		t.Errorf("JDKs are looked for in %v", got.Also)
	}
	var c config
	if err := keepOld(path, &c); err != nil || c.JDKProvider == nil || c.JDKProvider.Cache != dir+"/cache" {
		t.Errorf("registered again: %+v, %v", c.JDKProvider, err)
	}
}

func TestReadUsable_doesNotNeedAJDKWhereAProviderBringsThem(t *testing.T) {
	here, err := newMachineSettings(t.TempDir(), false, "shared", "")
	if err != nil {
		t.Fatal(err)
	}
	here.jdks = jdk.Options{Env: func(string) string { return "" }, Dirs: []string{t.TempDir()}, CacheDir: t.TempDir()}
	if _, err := here.readUsable(t.Context()); !errors.Is(err, errNoJDK) {
		t.Errorf("without a provider: %v", err)
	}
	here.provided = true
	if _, err := here.readUsable(t.Context()); !errors.Is(err, errNoServers) { // which it says next
		t.Errorf("with one: %v", err)
	}
}
