package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

type check struct {
	Params    map[string]any
	Status    int
	Body      *string
	MinMillis int `yaml:"minMillis"`
}

type workload struct {
	Method, Path string
	Database     bool
	Checks       []check
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// declared are the workloads that server.yaml names, but those that ask a database: `loomboard-agent verify` checks them.
func declared(t *testing.T) []workload {
	t.Helper()
	var server struct{ Workloads []string }
	read(t, "server.yaml", &server)
	var shared struct{ Workloads map[string]workload }
	read(t, "../workloads.yaml", &shared)
	var all []workload
	for _, name := range server.Workloads {
		if w := shared.Workloads[name]; !w.Database {
			all = append(all, w)
		}
	}
	if len(all) == 0 {
		t.Fatal("server.yaml names no workload of ../workloads.yaml")
	}
	return all
}

func ask(t *testing.T, method, url string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func serve(t *testing.T) string {
	s := httptest.NewServer(routes())
	t.Cleanup(s.Close)
	return s.URL
}

func TestWorkloads_answerTheirChecks(t *testing.T) {
	base := serve(t)
	for _, w := range declared(t) {
		for _, c := range w.Checks {
			params := url.Values{}
			for name, value := range c.Params {
				params.Set(name, fmt.Sprint(value))
			}
			at := w.Path + "?" + params.Encode()
			began := time.Now()
			status, body := ask(t, w.Method, base+at)
			took := time.Since(began)
			if status != c.Status || c.Body != nil && body != *c.Body {
				t.Errorf("%s: %d %q, must be as %+v says", at, status, body, c)
			}
			// A lower bound only: a declared delay is part of the answer, a fast machine is not.
			if took < time.Duration(c.MinMillis)*time.Millisecond {
				t.Errorf("%s: answered after %v, before the declared delay", at, took)
			}
		}
	}
}

func TestWorkloads_answerWithoutParameters(t *testing.T) {
	base := serve(t)
	for _, w := range declared(t) {
		if status, body := ask(t, w.Method, base+w.Path); status != http.StatusOK || body == "" {
			t.Errorf("%s: %d %q", w.Path, status, body)
		}
	}
	if status, _ := ask(t, "GET", base+"/ready"); status != http.StatusOK {
		t.Errorf("not ready: %d", status)
	}
}

func TestParameters_whatIsWrongIsNamed(t *testing.T) {
	base := serve(t)
	for at, says := range map[string]string{
		"/io?delayMs=-1":             "delayMs must be 0 to 60000, but is -1",
		"/matmul?size=1001":          "size must be 1 to 1000, but is 1001",
		"/thread-start?count=x":      "count must be a whole number of 64 bits, but is x",
		"/mixed?size=0&delayMs=9999": "size must be 1 to 1000, but is 0",
	} {
		if status, body := ask(t, "POST", base+at); status != http.StatusBadRequest || !strings.Contains(body, says) {
			t.Errorf("%s: %d %q, must say %q", at, status, body, says)
		}
	}
}

// Java's own texts, of JDK 21.
func TestAsJava_writesAsDoubleToString(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2.5: "-2.5", 100: "100.0", 0.001: "0.001", 9.99e-4: "9.99E-4", 1e7: "1.0E7", 12345678: "1.2345678E7",
		9999999.5: "9999999.5", 1e-5: "1.0E-5", 2e23: "2.0E23", -8.264078963999708e13: "-8.264078963999708E13", 1e100: "1.0E100",
	} {
		if got := asJava(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}

func TestFortunes_areSortedWithOneMoreAndWrittenAsTheyAre(t *testing.T) {
	answer, err := encoded(withOwn([]fortune{{12, "糸"}, {7, `<script>"&"</script>`}, {2, "Measure twice"}}))
	want := `[{"id":7,"message":"<script>\"&\"</script>"},{"id":2,"message":"Measure twice"},` +
		`{"id":0,"message":"The one that no database knows"},{"id":12,"message":"糸"}]`
	if err != nil || string(answer) != want {
		t.Errorf("%v %s, want %s", err, answer, want)
	}
}

// The first numbers that java.util.Random gives with seed 42, by its documentation's algorithm on JDK 21.
func TestJavaRandom_givesTheNumbersOfJava(t *testing.T) {
	r := newJavaRandom(42)
	var got []int
	for range 5 {
		got = append(got, r.below(10))
	}
	if want := []int{0, 3, 8, 4, 0}; !slices.Equal(got, want) {
		t.Errorf("below 10: %v, want %v", got, want)
	}
}
