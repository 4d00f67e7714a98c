package lease

import (
	"context"
	"maps"
	"slices"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/trial"
)

func TestServe_givesTrialsTheOptionsThatTheirBuildsHaveByThemselves(t *testing.T) {
	s := newService("a")
	s.options = []string{"-XX:+UseG1GC", "-XX:-UseG1GC", "-Xint"}
	f := provided(t, s, testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18")), "28-ea")
	s.jdk = "temurin-28-ea_18-amd64"
	var own []string
	f.config.RunTrial = func(ctx context.Context, m trial.Machine, j trial.Job, sink trial.Sink, onPhase func(api.Phase)) (trial.Result, error) {
		own = j.OwnDefaults
		return f.runTrial(ctx, m, j, sink, onPhase)
	}
	if err := f.serve(t, t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"-XX:+UseG1GC", "-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions"}; !slices.Equal(own, want) {
		t.Errorf("given %v", own)
	}
}

func TestServe_tellsTheFlagsThatTheServiceLacks(t *testing.T) {
	for _, c := range []struct {
		asked []string
		told  int
	}{
		{nil, 0}, // a service of before
		{[]string{}, 0},
		{[]string{"openjdk-21_35-amd64", "temurin-28-ea_18-amd64"}, 1}, // the first is not here
	} {
		s := newService("a")
		s.flagless, s.flags = c.asked, map[string]api.JDKFlags{}
		f := provided(t, s, testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18")), "28-ea")
		if err := f.serve(t, t.Context()); err != nil {
			t.Fatal(err)
		}
		told := s.flags["temurin-28-ea_18-amd64"].Flags
		if len(s.flags) != c.told || len(f.ran) != 1 {
			t.Errorf("asked for %v: told %+v, ran %v", c.asked, s.flags, f.ran)
		}
		if want := map[string]api.JDKFlag{"UseG1GC": {Value: "true", Kind: "product", Origin: "ergonomic"}}; c.told > 0 && !maps.Equal(told, want) {
			t.Errorf("told %+v", told)
		}
	}
}
