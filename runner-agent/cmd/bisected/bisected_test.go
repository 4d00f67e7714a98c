package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/local"
)

func TestTheChangeIsTheOneBetweenTheRightBuilds(t *testing.T) {
	p := proof{options: options{before: 2, between: 2, after: 1}, builds: []string{"control", "a", "b", "c", "d", "e"}} // slow from d on
	for name, tc := range map[string]struct {
		local.Change
		is bool
	}{
		"across it":             {local.Change{Direction: "worse", GoodBuild: "b", Build: "e"}, true},
		"at it":                 {local.Change{Direction: "worse", GoodBuild: "c", Build: "d"}, true},
		"before it":             {local.Change{Direction: "worse", GoodBuild: "a", Build: "c"}, false},
		"after it":              {local.Change{Direction: "worse", GoodBuild: "d", Build: "e"}, false},
		"for the better":        {local.Change{Direction: "better", GoodBuild: "b", Build: "e"}, false},
		"of builds not of ours": {local.Change{Direction: "worse", GoodBuild: "x", Build: "e"}, false},
	} {
		if _, is := p.atSlowdown([]local.Change{tc.Change}); is != tc.is {
			t.Errorf("%s: %v, want %v", name, is, tc.is)
		}
	}
}

func TestANightRunsAPresetOfCodeThatC1Compiled(t *testing.T) {
	o, err := parse([]string{"-data", t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	preset, err := os.ReadFile("../../../sample-servers/matrices/tools/" + o.matrix + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(preset), `jvmOptions: ["-XX:TieredStopAtLevel=1"]`) {
		t.Errorf("-matrix is %s by default, which C2 compiles", o.matrix)
	}
}

func TestACredibleSetWithoutTheRightBuildIsAnError(t *testing.T) {
	p := proof{options: options{before: 2, between: 2, after: 1, share: 0.1}, builds: []string{"control", "a", "b", "c", "d", "e"}}
	if err := p.verdict(local.Change{Bisection: &local.Bisection{Credible: []string{"c", "d"}}}); err != nil {
		t.Error(err)
	}
	if err := p.verdict(local.Change{Bisection: &local.Bisection{Credible: []string{"c"}}}); err == nil {
		t.Error("c alone was taken for right, which is d")
	}
}

func TestAFormIsSentWithWhatItsPageHides(t *testing.T) {
	var got url.Values
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte(`<form><input type="hidden" name="_csrf" value="t0k3n"><input type="hidden" name="next" value="/"></form>`))
			return
		}
		_ = r.ParseForm()
		got = r.PostForm
		if r.URL.Path == "/refuses" {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
	}))
	defer page.Close()
	o := &local.Owner{Base: page.URL}
	if err := o.Send(t.Context(), "/page", "/form", url.Values{"next": {"/mine"}}); err != nil {
		t.Fatal(err)
	}
	if got.Get("_csrf") != "t0k3n" || got.Get("next") != "/mine" {
		t.Errorf("sent %v", got)
	}
	if err := o.Send(t.Context(), "/page", "/refuses", url.Values{}); err == nil || !strings.Contains(err.Error(), "422") {
		t.Errorf("a refused form gave %v", err)
	}
}

func TestAFolderOfOtherOptionsIsRefused(t *testing.T) {
	o := options{jdk: "/jdk", share: 0.1, before: 2, between: 2, after: 3}
	o.Data = t.TempDir()
	for range 2 {
		if err := o.sameAsBefore(); err != nil {
			t.Fatal(err)
		}
	}
	o.share = 0.05
	if err := o.sameAsBefore(); err == nil || !strings.Contains(err.Error(), "-share 0.1 ") {
		t.Errorf("another share: %v", err)
	}
	o.share, o.matrix = 0.1, "other"
	if err := o.sameAsBefore(); err == nil {
		t.Error("nights of another matrix would be gone on with")
	}
}

func TestANightCountsOnlyWithATrialOfItsBuild(t *testing.T) {
	valid := "valid"
	ran, refused := local.Trial{JDK: "a", Validity: &valid}, local.Trial{JDK: "b"}
	run := local.Run{Trials: []local.Trial{ran, refused}}
	if !measured(run, "a") || measured(run, "b") || measured(local.Run{}, "a") {
		t.Error("a build was measured that was not, or the other way round")
	}
}
