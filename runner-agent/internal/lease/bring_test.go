package lease

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/provide"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/trial"
)

// provided is an agent with a provider, whose machine has what that brought.
func provided(t *testing.T, s *service, d *testbed.Disco, refresh ...string) *fixture {
	t.Helper()
	f := newFixture(t, s)
	settings := provide.Settings{Catalogue: d.URL, Distributions: []string{"temurin"}, Refresh: refresh}
	var err error
	if f.config.Provider, err = provide.New(settings, filepath.Join(t.TempDir(), "jdks"), slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	options := jdk.Options{Dirs: []string{}, Also: []string{f.config.Provider.Folder()}, CacheDir: t.TempDir(), Env: func(string) string { return "" }}
	f.config.ReadMachine = func(ctx context.Context) (m trial.Machine, err error) {
		m.JDKs, err = jdk.Discover(ctx, options)
		return m, err
	}
	f.config.Examine = func(context.Context) api.DoctorReport { return api.DoctorReport{Schema: api.SchemaDoctor} }
	return f
}

// said is the finding of the provider that the service was told; empty: none.
func said(s *service) api.DoctorFinding {
	if s.told.Doctor == nil {
		return api.DoctorFinding{}
	}
	i := slices.IndexFunc(s.told.Doctor.Findings, func(f api.DoctorFinding) bool { return f.Check == provide.CheckName })
	if i < 0 {
		return api.DoctorFinding{}
	}
	return s.told.Doctor.Findings[i]
}

func TestServe_bringsBuildsBeforeItAsksForWork(t *testing.T) {
	s := newService("a")
	f := provided(t, s, testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18")), "28-ea")
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.told.JDKs) != 1 || s.told.JDKs[0].RuntimeVersion != "28-ea+18" || len(f.ran) != 1 {
		t.Errorf("told of %+v, ran %v", s.told.JDKs, f.ran)
	}
	if got := said(s); got.State != api.CheckOK || !strings.Contains(got.Found, "Last brought: temurin-28-ea_18") {
		t.Errorf("told %+v", got)
	}
}

func TestServe_goesOnWithoutACatalogueAndSaysSo(t *testing.T) {
	s := newService("a")
	d := testbed.NewDisco(t)
	d.Instead("/packages", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	f := provided(t, s, d, "28-ea")
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := said(s); len(f.ran) != 1 || got.State != api.CheckProblem || got.Severity != api.Info || !strings.Contains(got.Found, "503") {
		t.Errorf("ran %v, told %+v", f.ran, got)
	}
}

// An older build of a bisection is brought again; one that cannot be, fails its trials alone.
func TestServe_bringsTheBuildsOfARunThatAreNotHere(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+17"), testbed.JDKBuild(t, "28-ea+18"))
	for _, c := range []struct {
		version string
		here    bool
	}{{"28-ea_17", true}, {"28-ea_16", false}} {
		s := newService("a")
		f := provided(t, s, d)
		brought, err := f.config.Provider.Fetch(t.Context(), "28-ea", func(provide.Progress) {})
		if err != nil {
			t.Fatal(err)
		}
		s.jdk = strings.Replace(brought[0].Slug, "28-ea_18", c.version, 1)
		here := false
		f.config.RunTrial = func(ctx context.Context, m trial.Machine, j trial.Job, sink trial.Sink, onPhase func(api.Phase)) (trial.Result, error) {
			here = slices.ContainsFunc(m.JDKs.Builds, func(b jdk.Build) bool { return b.Slug == j.JDK })
			return f.runTrial(ctx, m, j, sink, onPhase)
		}
		if err := f.serve(t, t.Context()); err != nil {
			t.Fatal(err)
		}
		if here != c.here || len(f.ran) != 1 {
			t.Errorf("%s: here %v, ran %v", s.jdk, here, f.ran)
		}
	}
}

// What the service needs and this machine has no more comes between runs; of what is here already, nothing is brought again.
func TestServe_bringsBuildsThatTheServiceNeedsAndKeepsThem(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+16"), testbed.JDKBuild(t, "28-ea+17"), testbed.JDKBuild(t, "28-ea+18"))
	s := newService("a")
	f := provided(t, s, d, "28-ea")
	brought, err := f.config.Provider.Fetch(t.Context(), "28-ea", func(provide.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	e := brought[0]
	gone := strings.Replace(e.Slug, "28-ea_18", "28-ea_16", 1)
	s.needed = []string{e.Slug, gone, "28-ea"} // the last is no name: a service cannot have other builds brought
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.Downloads() != 2 || !slices.ContainsFunc(s.told.JDKs, func(b api.JDKBuild) bool { return b.Slug == gone }) {
		t.Errorf("%d downloads, told of %+v", d.Downloads(), s.told.JDKs)
	}
	small, err := provide.New(provide.Settings{Catalogue: d.URL, Distributions: []string{"temurin"}, Cache: f.config.Provider.Folder(),
		CacheGiB: float64(2*e.Bytes+e.Bytes/2) / (1 << 30)}, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := small.Fetch(t.Context(), "28-ea+17", func(provide.Progress) {}); err == nil || !strings.Contains(err.Error(), "held: ") {
		t.Errorf("with both needed: %v", err)
	}
}

// The archive is not sent before the service was told that it is downloaded, so a report is seen whatever the machine's speed.
func TestServe_tellsWhatItBringsAndThatItIsDone(t *testing.T) {
	build := testbed.JDKBuild(t, "28-ea+18")
	d := testbed.NewDisco(t, build)
	s := newService("a")
	downloading := make(chan struct{})
	told := sync.OnceFunc(func() { close(downloading) })
	s.onBringing = func(p api.JDKProgress) {
		if p.Phase == api.JDKDownloading {
			told()
		}
	}
	d.Instead("/archives/"+build.ID, func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		<-downloading
		_, _ = w.Write(build.Archive)
	})
	f := provided(t, s, d, "28-ea")
	f.config.ProgressEvery = time.Millisecond
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	last := len(s.bringing) - 1
	if last < 1 || s.bringing[last] != (api.JDKProgress{Phase: api.JDKDone}) {
		t.Fatalf("told %+v", s.bringing)
	}
	at := slices.IndexFunc(s.bringing, func(p api.JDKProgress) bool { return p.Phase == api.JDKDownloading })
	if got := s.bringing[at]; got.Selector != "28-ea" || got.Of != int64(len(build.Archive)) || got.Bytes != 0 {
		t.Errorf("told %+v", got)
	}
	if _, busy := f.config.Provider.Now(); busy {
		t.Error("it is busy still")
	}
}

func TestBring_holdsTheBuildsOfARun(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18"))
	f := provided(t, newService(), d)
	brought, err := f.config.Provider.Fetch(t.Context(), "28-ea", func(provide.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	e := brought[0]
	a := &Agent{Config: f.config}
	if a.machine, err = f.config.ReadMachine(t.Context()); err != nil {
		t.Fatal(err)
	}
	release := a.bring(t.Context(), api.Assignment{Trials: []api.PlannedTrial{{JDK: e.Slug}, {JDK: e.Slug}, {}}})
	// Another program with the same cache, in which one build has no room beside it.
	small, err := provide.New(provide.Settings{Catalogue: d.URL, Distributions: []string{"temurin"}, Cache: f.config.Provider.Folder(),
		CacheGiB: float64(e.Bytes+e.Bytes/2) / (1 << 30)}, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	d.Offer(testbed.JDKBuild(t, "28-ea+19"))
	if _, err := small.Fetch(t.Context(), "28-ea", func(provide.Progress) {}); !errors.As(err, new(*provide.Failure)) || !strings.Contains(err.Error(), "held: "+e.Slug) {
		t.Errorf("while the run has it: %v", err)
	}
	release()
	if next, err := small.Fetch(t.Context(), "28-ea", func(provide.Progress) {}); err != nil || !next[0].New {
		t.Errorf("afterwards: %v", err)
	}
}
