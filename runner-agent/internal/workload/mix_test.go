package workload

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

func clinicMix(t *testing.T) Spec { return loaded(t, "testdata/mix.yaml")["clinic"] }

// mixedClinic answers as testdata/mix.yaml says.
func mixedClinic(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	known := func(r *http.Request) bool {
		c, err := r.Cookie("JSESSIONID")
		return err == nil && c.Value == "s"
	}
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "JSESSIONID", Value: "s"})
		fmt.Fprint(w, `<input name="_csrf" value="t0k/n+">`)
	})
	mux.HandleFunc("GET /owners/{owner}", func(w http.ResponseWriter, r *http.Request) {
		if !known(r) || r.PathValue("owner") != "1" || r.Header.Get("X-City") != "Madison" || r.URL.RawQuery != "lang=en" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, "Owner Information")
	})
	mux.HandleFunc("POST /visits", func(w http.ResponseWriter, r *http.Request) {
		if !known(r) || r.FormValue("_csrf") != "t0k/n+" || r.FormValue("date") != "2026-11-22" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		http.Redirect(w, r, "/owners/1", http.StatusFound)
	})
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok "+r.URL.Query().Get("lang")) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestVerify_asksEveryOperationOfAMix(t *testing.T) {
	base := mixedClinic(t)
	if problems := Verify(t.Context(), load.Address{URL: base}, clinicMix(t)); len(problems) > 0 {
		t.Error(problems)
	}
	s := clinicMix(t)
	visit, health := s.Operations["visit"], s.Operations["health"]
	visit.Cookies = nil
	health.Checks[0].Params = nil
	s.Operations["visit"] = visit
	wantAll(t, Verify(t.Context(), load.Address{URL: base}, s), "clinic, visit: POST "+base+"/visits?lang=en: status 403, must be 302",
		`clinic, health: GET `+base+`/health?lang=en: answered "ok en", must be "ok de"`)
}

func TestTarget_ofAMixHasTheRowsOfEachOperationThatNamesAColumn(t *testing.T) {
	got, err := clinicMix(t).Target("http://h:1/", map[string]any{"lang": "fr"}, map[string]string{"session": "s", "token": "t/"})
	if err != nil || got.URL != "http://h:1/" || got.Mix == nil || got.Mix.Seed != 7 || got.Rows != nil || got.Method != "" {
		t.Fatalf("%+v %v", got, err)
	}
	var all []string
	for _, o := range got.Mix.Operations { // by name
		all = append(all, fmt.Sprintf("%s %d %s %d", o.Name, o.Weight, o.Method, len(o.Rows)))
	}
	if want := "health 1 GET 1, owner 3 GET 3, visit 1 POST 1"; strings.Join(all, ", ") != want {
		t.Errorf("%q, want %s", all, want)
	}
	owner, visit := got.Mix.Operations[1], got.Mix.Operations[2]
	if owner.Rows[1].Path != "/owners/6?lang=fr" || owner.Rows[1].Header["X-City"] != "Sun Prairie" || owner.Rows[1].Header["Cookie"] != "JSESSIONID=s" {
		t.Errorf("%+v", owner.Rows[1])
	}
	if visit.Rows[0].Path != "/visits?lang=fr" || string(visit.Rows[0].Body) != "_csrf=t%2F&date=2026-11-22" || visit.Success == nil {
		t.Errorf("%+v", visit)
	}
	spec := load.Spec{Target: got, Rate: 1, Duration: 1e9}
	spec.Target.URL = "http://127.0.0.1:1/"
	if err := spec.WithDefaults().Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestOnce_andServicesOfBeforeTakeNoMix(t *testing.T) {
	s := clinicMix(t)
	if _, _, err := s.Once(t.Context(), load.Address{URL: "http://127.0.0.1:1"}, nil, nil); err == nil || !strings.Contains(err.Error(), "workload clinic is a mix of operations, and a batch runs one") {
		t.Errorf("%v", err)
	}
	if err := s.InService(api.Features{}); err == nil ||
		!strings.Contains(err.Error(), "workload clinic is a mix of operations, and this service is of a version that takes only workloads of one") {
		t.Errorf("%v", err)
	}
	if err := s.InService(api.AllFeatures()); err != nil {
		t.Error(err)
	}
	if s.Plain() {
		t.Error("a mix is plain")
	}
	for name, one := range loaded(t, "testdata/clinic.yaml") {
		if err := one.InService(api.Features{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDigest_isOfAllThatAMixSends(t *testing.T) {
	digest := func(s Spec) string {
		t.Helper()
		d, err := s.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	was := digest(clinicMix(t))
	part := func(change func(*Part)) func(*Spec) {
		return func(s *Spec) {
			p := s.Operations["visit"]
			change(&p)
			s.Operations["visit"] = p
		}
	}
	for name, change := range map[string]func(*Spec){
		"seed":      func(s *Spec) { s.Seed = 8 },
		"its name":  func(s *Spec) { s.Operations["visits"] = s.Operations["visit"]; delete(s.Operations, "visit") },
		"weight":    part(func(p *Part) { p.Weight = 2 }),
		"path":      part(func(p *Part) { p.Path = "/" }),
		"success":   part(func(p *Part) { p.Success = nil }),
		"redirects": part(func(p *Part) { p.Redirects = Follow }),
	} {
		s := clinicMix(t)
		if change(&s); digest(s) == was {
			t.Errorf("%s: another mix with the same digest", name)
		}
	}
	s := clinicMix(t)
	if part(func(p *Part) { p.Checks = []Check{{}} })(&s); digest(s) != was {
		t.Error("checks change nothing that is measured, but the digest")
	}
}

// Each is the rest of a mix of one operation, x: what is said of it and nothing else.
func TestLoad_saysWhatIsWrongInAMix(t *testing.T) {
	const right = "method: GET, path: /, success: {status: 200}"
	for _, c := range []struct{ rest, says string }{
		{"operations: {}", "line 5, column 5: workloads.m.operations must be a mapping of names to operations, 1 to 50, is: a mapping"},
		{"operations: {x: {" + right + "}}", "line 5, column 18: workloads.m.operations.x.weight is missing: a whole number from 1 to 1000"},
		{"operations: {x: {weight: 0, " + right + "}}", "line 5, column 22: workloads.m.operations.x.weight must be a whole number from 1 to 1000: how often it is drawn, against the others, is: 0"},
		{"operations: {x: {weight: 1.5, " + right + "}}", "workloads.m.operations.x.weight must be a whole number"},
		{"operations: {x: {weight: 1, path: /, success: {status: 200}}}", "workloads.m.operations.x.method is missing: one of GET, POST"},
		{"operations: {x: {weight: 1, method: GET, path: /}}", "workloads.m.operations.x.checks is missing: without a check or success"},
		{"operations: {x: {weight: 1, " + right + ", data: {}}}", "workloads.m.operations.x.data is not a known field; known are: body, checks, cookies, headers, method, path, query, redirects, success, weight"},
		{"operations: {A_b: {weight: 1, " + right + "}}", "workloads.m.operations.A_b must be called by lower-case words joined by hyphens"},
		{"operations: {x: {weight: 1, " + right + ", headers: {X: '{y}'}}}", "workloads.m.operations.x names {y}, which nothing gives a value"},
		{"operations: {x: {weight: 1, method: GET, path: /, success: {pattern: (}}}", "workloads.m.operations.x.success.pattern error parsing"},
		{"operations: {x: {weight: 1, method: POST, path: /, body: {file: none.bin}, success: {status: 200}}}", "workloads.m.operations.x.body.file there is no file"},
		{"operations: {x: {weight: 1, " + right + "}}\n    method: GET", "line 6, column 5: workloads.m.method must be left out: in a mix each operation has its own, is: \"GET\""},
		{"operations: {x: {weight: 1, " + right + "}}\n    success: {status: 200}", "workloads.m.success must be left out: in a mix each operation has its own"},
		{"operations: {x: {weight: 1, " + right + "}}\n    params: {d: 1}\n    declaredDelayParam: d", "workloads.m.declaredDelayParam must be left out: operations of a mix have no delay in common"},
		{"operations: {x: {weight: 1, " + right + "}}\n    seed: -1", "workloads.m.seed must be a whole number from 0 up, by which the operation of each hit is drawn, is: -1"},
		{"{method: GET, path: /, success: {status: 200}, seed: 7}", "workloads.m.seed must be left out: it draws operations, and there are none, is: 7"},
		{"{method: GET, success: {status: 200}}", "workloads.m.path is missing: a path that begins with /"},
		{"operations: {x: {weight: 1, method: GET, path: '/{a}', success: {status: 200}}, y: {weight: 1, method: GET, path: '/y{a}', success: {status: 200}}}\n" +
			"    data: {ranges: {a: {from: 1, to: 5001}}}", "line 6, column 5: workloads.m.data makes 10002 requests, one of each row for each operation that names a column and one for each other; 10000 are the most"},
	} {
		text := "schema: loomboard.workloads/1\nworkloads:\n  m:\n    version: 1\n    " + c.rest + "\n"
		if inline, is := strings.CutPrefix(c.rest, "{"); is {
			text = "schema: loomboard.workloads/1\nworkloads:\n  m: {version: 1, " + inline + "\n"
		}
		got := problemsOf(t, text)
		if len(got) != 1 || !strings.Contains(got[0], c.says) || !strings.HasPrefix(got[0], "line ") {
			t.Errorf("%s\n  says %q\n  want %q", c.rest, got, c.says)
		}
	}
}
