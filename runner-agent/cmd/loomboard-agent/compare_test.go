package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

const comparisonExample = "../../../backend/api/examples/v1-comparisons.json"

// comparisonService answers as the service does, after change was made to its example.
func comparisonService(t *testing.T, change func(*api.Comparison)) (url string, asked *http.Request) {
	t.Helper()
	text, err := os.ReadFile(comparisonExample)
	if err != nil {
		t.Fatal(err)
	}
	var answer api.Comparison
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	change(&answer)
	asked = &http.Request{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = *r
		if r.URL.Query().Get("baseline") == "none" {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusUnprocessableEntity)
			_ = json.NewEncoder(w).Encode(api.Problem{Title: "A field cannot be accepted", Status: 422, Errors: []api.FieldError{
				{Field: "baseline", Message: "must be a build that has results, is: none; there are: temurin-25.0.3_9-amd64"}}})
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func asItIs(*api.Comparison) {}

func withoutSlower(c *api.Comparison) { c.Tests = c.Tests[1:] }

func decided(c *api.Comparison) {
	same := api.Equivalent
	c.Tests = c.Tests[1:2]
	c.Tests[0].Verdict = &same
}

func TestCompare_exitSaysWhetherAnythingIsSlower(t *testing.T) {
	away(t)
	for _, c := range []struct {
		name   string
		change func(*api.Comparison)
		args   []string
		exit   int
	}{
		{"slower", asItIs, nil, exitFailed},
		{"slower, strictly", asItIs, []string{"--strict"}, exitFailed},
		{"inconclusive", withoutSlower, nil, 0},
		{"inconclusive, strictly", withoutSlower, []string{"--strict"}, exitOpen},
		{"equivalent, strictly", decided, []string{"--strict"}, 0},
		{"nothing in common", func(c *api.Comparison) { c.Tests = nil }, nil, 0},
		{"nothing in common, strictly", func(c *api.Comparison) { c.Tests = nil }, []string{"--strict"}, exitOpen},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, _ := comparisonService(t, c.change)
			err := dispatch(t.Context(), append([]string{"compare", "a", "b", "--url", url}, c.args...))
			if exit := exitCode(err, false); exit != c.exit {
				t.Errorf("exits with %d, must be %d: %v", exit, c.exit, err)
			}
			if c.exit == exitFailed && !strings.Contains(err.Error(), "response_excess_p50_ms of spring-mvc/virtual") {
				t.Errorf("names nothing that is slower: %v", err)
			}
		})
	}
}

func TestCompare_asksWithTheTokenOfTheEnvironmentAndTheScenario(t *testing.T) {
	away(t)
	t.Setenv("LOOMBOARD_API_TOKEN", "lbt_x")
	url, asked := comparisonService(t, decided)
	t.Setenv("LOOMBOARD_URL", url)
	if err := dispatch(t.Context(), []string{"compare", "--scenario", "io@1?a=1;b", "a", "b"}); err != nil {
		t.Fatal(err)
	}
	q := asked.URL.Query()
	if asked.URL.Path != "/api/v1/comparisons" || q.Get("baseline") != "a" || q.Get("candidate") != "b" || q.Get("scenario") != "io@1?a=1;b" {
		t.Errorf("asked %s", asked.URL)
	}
	if asked.Header.Get("Authorization") != "Bearer lbt_x" {
		t.Errorf("sent %q", asked.Header.Get("Authorization"))
	}
}

func TestCompare_setsOtherSidesThanBuildsAgainstEachOther(t *testing.T) {
	away(t)
	text, err := os.ReadFile(comparisonExample)
	if err != nil {
		t.Fatal(err)
	}
	var builds api.Comparison
	if err := json.Unmarshal(text, &builds); err != nil {
		t.Fatal(err)
	}
	jdk := "temurin-25.0.3_9-amd64"
	builds.Tests[0].JDK = &jdk
	var asked string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Path + "?" + r.URL.Query().Get("baseline") + "&" + r.URL.Query().Get("candidate")
		_ = json.NewEncoder(w).Encode(api.Sides{URL: "/compare?axis=server", Axis: "server", Tests: builds.Tests})
	}))
	t.Cleanup(s.Close)
	err = dispatch(t.Context(), []string{"compare", "--url", s.URL, "--axis", "server", "mvc/platform-100", "mvc/virtual"})
	if exitCode(err, false) != exitFailed || asked != "/api/v1/comparisons/server?mvc/platform-100&mvc/virtual" {
		t.Errorf("asked %s: %v", asked, err)
	}
	var out bytes.Buffer
	printComparison(&out, s.URL, compared{title: "mvc/virtual against mvc/platform-100", url: "/compare?axis=server", tests: builds.Tests})
	for _, wanted := range []string{"mvc/virtual against mvc/platform-100\n", "G1 " + jdk, s.URL + "/compare?axis=server"} {
		if !strings.Contains(out.String(), wanted) {
			t.Errorf("does not say %q:\n%s", wanted, out.String())
		}
	}
	err = dispatch(t.Context(), []string{"compare", "--url", s.URL, "--axis", "moon", "a", "b"})
	if exitCode(err, false) != exitUsage {
		t.Errorf("--axis moon: %v", err)
	}
}

func TestCompare_takesTheServiceOfItsRegistration(t *testing.T) {
	dir := away(t)
	t.Setenv("LOOMBOARD_URL", "")
	url, _ := comparisonService(t, decided)
	if err := writeConfig(filepath.Join(dir, "agent.json"), config{URL: url, AgentKey: "lba_x"}); err != nil {
		t.Fatal(err)
	}
	if err := dispatch(t.Context(), []string{"compare", "a", "b"}); err != nil {
		t.Error(err)
	}
}

func TestCompare_saysWhatIsWrong(t *testing.T) {
	away(t)
	t.Setenv("LOOMBOARD_URL", "")
	url, _ := comparisonService(t, asItIs)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, c := range []struct {
		part string
		exit int
		args []string
	}{
		{"2 words are needed, there are 1", exitUsage, []string{"a", "--url", url}},
		{`"c" is not expected`, exitUsage, []string{"a", "b", "c", "--url", url}},
		{"--url is needed", exitUsage, []string{"a", "b"}},
		{"must look like", exitUsage, []string{"a", "b", "--url", "example"}},
		{"there are: temurin-25.0.3_9-amd64", exitUsage, []string{"none", "b", "--url", url}},
		{"cannot be reached", exitNoAnswer, []string{"a", "b", "--url", gone.URL}},
	} {
		err := dispatch(t.Context(), append([]string{"compare"}, c.args...))
		if err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%v: %v, must say %q", c.args, err, c.part)
		}
		if exit := exitCode(err, false); exit != c.exit {
			t.Errorf("%v exits with %d, must be %d", c.args, exit, c.exit)
		}
	}
}

func TestCompare_printsVerdictsOrTheAnswerAsItIs(t *testing.T) {
	url, _ := comparisonService(t, asItIs)
	var table bytes.Buffer
	_ = comparing{base: url}.run(t.Context(), "a", "b", &table) // slower: tested above
	for _, part := range []string{
		"slower        +11.0 %  +8.4 % to +13.6 %  0.0004  13.1 %",
		"6 to 41 further trials a side would probably settle it",
		"measured in different runs",
		"1 slower, 0 faster, 0 equivalent, 1 inconclusive, 1 without a verdict of 3 cells × metrics",
		url + "/compare?a=temurin-25.0.3_9-amd64&b=temurin-26_36-amd64",
	} {
		if !strings.Contains(table.String(), part) {
			t.Errorf("lacks %q:\n%s", part, table.String())
		}
	}
	var text bytes.Buffer
	_ = comparing{base: url, json: true}.run(t.Context(), "a", "b", &text)
	var again api.Comparison
	if err := json.Unmarshal(text.Bytes(), &again); err != nil || len(again.Tests) != 3 {
		t.Errorf("%v: %s", err, text.String())
	}
}

func TestNote_saysHowManyFurtherTrials(t *testing.T) {
	open, six, many := api.Inconclusive, 6, 41
	for want, most := range map[string]*int{"6 or more further trials": nil, "6 to 41 further trials": &many, "6 further trials": &six} {
		cell := api.ComparedCell{Verdict: &open, FurtherBlocks: &six, FurtherBlocksMost: most}
		if said := note(cell); said != want+" a side would probably settle it" {
			t.Errorf("%q, must begin with %q", said, want)
		}
	}
}

func TestChange_isSaidAsTimesFromTenOn(t *testing.T) {
	for ratio, want := range map[float64]string{1.032: "+3.2 %", 0.968: "-3.2 %", 9.99: "+899.0 %", 10226.4: "×10226", 1 / 12.345: "÷12.3", 0: "-100.0 %"} {
		if got := change(&ratio); got != want {
			t.Errorf("change(%v) = %q, want %q", ratio, got, want)
		}
	}
}
