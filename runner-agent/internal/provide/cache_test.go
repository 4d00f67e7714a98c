package provide

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

// sources are those of the builds in the cache, sorted.
func sources(t *testing.T, p *Provider) string {
	t.Helper()
	all, err := p.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, e := range all {
		words = append(words, strings.TrimPrefix(e.Source, "temurin "))
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// lastUsed backdates a build's use, which is told in seconds.
func lastUsed(t *testing.T, p *Provider, e Entry, ago time.Duration) {
	t.Helper()
	e.Used = e.Used.Add(-ago)
	if err := p.cache.write(e); err != nil {
		t.Fatal(err)
	}
}

func TestCache_removesTheLeastRecentlyUsedAndNoneThatIsHeld(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "25.0.3+9"), testbed.JDKBuild(t, "26.0.2+1"), testbed.JDKBuild(t, "27+35"), testbed.JDKBuild(t, "28-ea+18"))
	p := provider(t, d)
	first, second := fetched(t, p, "25"), fetched(t, p, "26")
	lastUsed(t, p, first, 2*time.Hour)
	lastUsed(t, p, second, time.Hour)
	p.cache.most = first.Bytes*2 + first.Bytes/2 // two
	release := p.Hold([]string{first.Slug})
	fetched(t, p, "27")
	if got := sources(t, p); got != "25.0.3+9 27+35" {
		t.Errorf("there is %s; the second was used before the third, and the first is held", got)
	}
	other := provider(t, d, func(s *Settings) { s.Cache = p.Folder() }) // another program
	other.cache.most = p.cache.most
	held := p.Hold([]string{"temurin-27_35-" + first.Slug[strings.LastIndex(first.Slug, "-")+1:]})
	if _, _, err := fetch(t.Context(), other, "28-ea"); err == nil || !strings.Contains(err.Error(), "full with builds that are held: "+first.Slug) {
		t.Errorf("with nothing to remove: %v", err)
	}
	if got := sources(t, p); got != "25.0.3+9 27+35" {
		t.Errorf("there is %s", got)
	}
	held()
	release()
	other.cache.hold = []string{first.Slug} // by its owner
	fetched(t, other, "28-ea")
	if got := sources(t, p); got != "25.0.3+9 28-ea+18" {
		t.Errorf("there is %s; the owner holds the first", got)
	}
	other.cache.most = first.Bytes / 2
	if _, _, err := fetch(t.Context(), other, "26"); err == nil || !strings.Contains(err.Error(), "cacheGiB") {
		t.Errorf("a build larger than the cache: %v", err)
	}
}

// What the service needs stays, also for another program and after a restart, until the service says otherwise.
func TestCache_removesNoneThatTheServiceNeeds(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "25.0.3+9"), testbed.JDKBuild(t, "26.0.2+1"), testbed.JDKBuild(t, "27+35"), testbed.JDKBuild(t, "28-ea+18"))
	p := provider(t, d)
	first, second := fetched(t, p, "25"), fetched(t, p, "26")
	lastUsed(t, p, first, 2*time.Hour)
	lastUsed(t, p, second, time.Hour)
	if err := p.Need([]string{first.Slug}); err != nil {
		t.Fatal(err)
	}
	again := provider(t, d, func(s *Settings) { s.Cache = p.Folder() })
	again.cache.most = first.Bytes*2 + first.Bytes/2 // two
	fetched(t, again, "27")
	if got := sources(t, p); got != "25.0.3+9 27+35" {
		t.Errorf("there is %s; the service needs the first", got)
	}
	if err := p.Need([]string{first.Slug, fetched27(t, again)}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fetch(t.Context(), again, "28-ea"); err == nil || !strings.Contains(err.Error(), "full with builds that are held: "+first.Slug) {
		t.Errorf("with all needed: %v", err)
	}
	if err := p.Need(nil); err != nil {
		t.Fatal(err)
	}
	fetched(t, again, "28-ea")
	if got := sources(t, p); got != "27+35 28-ea+18" {
		t.Errorf("there is %s; the service needs none any more", got)
	}
	if err := os.WriteFile(filepath.Join(p.Folder(), neededName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fetch(t.Context(), again, "26"); err == nil || !strings.Contains(err.Error(), "so none is removed") {
		t.Errorf("when it cannot be read what is needed: %v", err)
	}
}

// fetched27 is the longer name of the build of 27, which a machine gives it that has another of the shorter one.
func fetched27(t *testing.T, p *Provider) string {
	t.Helper()
	e, _, err := fetch(t.Context(), p, "27")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Base(e.Home)
}

func TestRefresh_saysWhatItFoundAndGoesOn(t *testing.T) {
	build := testbed.JDKBuild(t, "28-ea+18")
	d := testbed.NewDisco(t, build, testbed.JDKBuild(t, "27+35"))
	p := provider(t, d, func(s *Settings) { s.Refresh, s.Every = []string{"28-ea", "latest-ga"}, "1h" })
	if f := p.Finding(); f.State != api.CheckOK || !strings.Contains(f.Found, "Has not looked for 28-ea, latest-ga yet") {
		t.Errorf("before the first look: %+v", f)
	}
	d.Instead("/archives/28-ea_18", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(build.Archive[1:]) })
	if !p.Refresh(t.Context()) {
		t.Error("it did not look")
	}
	f := p.Finding()
	if f.State != api.CheckProblem || f.Severity != api.Info || !strings.Contains(f.Found, "Not brought: 28-ea: the archive of temurin 28-ea+18 has the sha256") ||
		!strings.Contains(f.Found, "Last brought: temurin-27_35-") || strings.Contains(f.Found, p.Folder()) {
		t.Errorf("after a bad archive: %+v", f)
	}
	if p.Refresh(t.Context()) {
		t.Error("it looked again before its time")
	}
	p.next = time.Time{}
	before := d.Downloads()
	if !p.Refresh(t.Context()) || d.Downloads() != before || !strings.Contains(p.Finding().Found, "not fetched again before") {
		t.Errorf("the bad archive was fetched again, or it was not said: %s", p.Finding().Found)
	}
	p.next = time.Time{}
	d.Offer(testbed.JDKBuild(t, "28-ea+19"))
	if !p.Refresh(t.Context()) || p.Finding().State != api.CheckOK || sources(t, p) != "27+35 28-ea+19" {
		t.Errorf("after a new build appeared: %+v, there is %s", p.Finding(), sources(t, p))
	}
}

func TestNew_refusesWhatAnOwnerCannotMean(t *testing.T) {
	good := Settings{Distributions: []string{"temurin"}}
	for says, change := range map[string]func(*Settings){
		"name the distributions": func(s *Settings) { s.Distributions = nil },
		"as the catalogue calls": func(s *Settings) { s.Distributions = []string{"Temurin & co"} },
		"only https is followed": func(s *Settings) { s.Catalogue = "http://catalogue.example/disco/v3.0" },
		"without a name":         func(s *Settings) { s.Catalogue = "https://me:secret@catalogue.example" },
		"feature 17 is older":    func(s *Settings) { s.Features = []int{17} },
		"the whole path":         func(s *Settings) { s.Command = []string{"get-jdk"} },
		"a JDK selector":         func(s *Settings) { s.Refresh = []string{"newest"} },
		"a time of 1m0s or more": func(s *Settings) { s.Every = "5" },
		"more than 0":            func(s *Settings) { s.CacheGiB = -1 },
	} {
		s := good
		change(&s)
		if _, err := New(s, t.TempDir(), slog.Default()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, must say %q", s, err, says)
		}
	}
	if p, err := New(good, filepath.Join(t.TempDir(), "cache"), slog.Default()); err != nil || p.catalogue.base.String() != PublicCatalogue {
		t.Errorf("the usual: %v", err)
	}
}
