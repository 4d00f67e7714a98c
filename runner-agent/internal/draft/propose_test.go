package draft

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

const document = `{
	"openapi": "3.1.0",
	"servers": [{"url": "http://localhost:8080/api"}],
	"components": {"parameters": {"Owner": {"name": "owner", "in": "path", "required": true, "schema": {"type": "integer"}}}},
	"paths": {
		"/owners": {"get": {"parameters": [{"name": "lastName", "in": "query", "schema": {"type": "string"}}]}, "post": {}},
		"/owners/{owner}": {"get": {"parameters": [{"$ref": "#/components/parameters/Owner"}]}},
		"/vets": {"parameters": [{"name": "page", "in": "query", "required": true, "example": "a b"}], "get": {}},
		"/search": {"get": {"parameters": [{"name": "q", "in": "query", "required": true, "schema": {"type": ["string", "null"]}}]}},
		"/kinds/{kind}": {"get": {"parameters": [{"name": "kind", "in": "path", "required": true, "schema": {"enum": ["cat", "dog"]}}]}},
		"/secret": {"get": {"parameters": [{"name": "X-Token", "in": "header", "required": true}]}},
		"/only-post": {"post": {}}
	}
}`

func TestOpenAPI_givesGETsWhoseValuesAreKnown(t *testing.T) {
	want := []string{"/api/kinds/cat", "/api/owners", "/api/owners/1", "/api/vets?page=a+b"}
	if got, err := openAPI([]byte(document)); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	yaml := "swagger: '2.0'\nbasePath: /v1/\npaths:\n  /a/{n}:\n    get:\n      parameters: [{name: n, in: path, required: true, type: integer}]\n"
	if got, err := openAPI([]byte(yaml)); err != nil || !slices.Equal(got, []string{"/v1/a/1"}) {
		t.Errorf("of YAML: %q, %v", got, err)
	}
	if _, err := openAPI([]byte("<html>\n: [")); err == nil {
		t.Error("a page was taken for a document")
	}
}

const mappings = `{"contexts": {"application": {"mappings": {
	"dispatcherServlets": {"dispatcherServlet": [
		{"details": {"requestMappingConditions": {"methods": ["GET"], "patterns": ["/owners/{ownerId}", "/owners"]}}},
		{"details": {"requestMappingConditions": {"methods": ["POST"], "patterns": ["/owners/new"]}}},
		{"details": {"requestMappingConditions": {"methods": [], "patterns": ["/error"]}}},
		{"details": {"requestMappingConditions": {"methods": ["GET"], "patterns": ["/actuator/health", "/files/{*path}", "/n/{id:[0-9]+}"]}}},
		{"predicate": "ResourceHttpRequestHandler"}]},
	"dispatcherHandlers": {"webHandler": [{"details": {"requestMappingConditions": {"methods": ["GET"], "patterns": ["/vets"]}}}]}}}}}`

func TestSpringMappings_givesTheApplicationsOwnGETs(t *testing.T) {
	if got, err := springMappings([]byte(mappings)); err != nil || !slices.Equal(got, []string{"/owners", "/owners/1", "/vets"}) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := springMappings([]byte("none")); err == nil {
		t.Error("what is no JSON was read")
	}
}

func TestPropose_keepsWhatIsAnsweredWell(t *testing.T) {
	asked := 0
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v3/api-docs", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, document) })
	mux.HandleFunc("GET /api/owners", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "always the same") })
	mux.HandleFunc("GET /api/owners/1", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	mux.HandleFunc("GET /api/vets", func(w http.ResponseWriter, r *http.Request) {
		asked++
		fmt.Fprintf(w, "%*d", asked, asked)
	})
	mux.HandleFunc("GET /api/kinds/cat", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/api/owners", http.StatusFound) })
	s := httptest.NewServer(mux)
	defer s.Close()
	found, source := propose(t.Context(), s.URL, "/")
	want := []proposal{{"api-owners", "/api/owners", 200, 15}, {"api-vets", "/api/vets?page=a+b", 200, -1}}
	if source != "/v3/api-docs" || !slices.Equal(found, want) {
		t.Errorf("%+v from %q", found, source)
	}
	if found, source = propose(t.Context(), s.URL, "/api/owners"); source != "" || !slices.Equal(found, want[:1]) {
		t.Errorf("of a path that was named: %+v from %q", found, source)
	}
	if found, _ = propose(t.Context(), s.URL, "/none"); !slices.Equal(found, []proposal{{"none", "/none", 404, -1}}) {
		t.Errorf("of nothing: %+v", found)
	}
	s.Close()
	if found, _ = propose(context.Background(), s.URL, ""); found[0].status != 0 || found[0].name != "index" {
		t.Errorf("of nobody: %+v", found)
	}
}

func TestPropose_goesWhereItIsLedOnTheSameServer(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ui/?a=1", http.StatusFound) })
	mux.HandleFunc("GET /away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://192.0.2.1/ui/", http.StatusFound)
	})
	mux.HandleFunc("GET /ui/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "page") })
	s := httptest.NewServer(mux)
	defer s.Close()
	if found, _ := propose(t.Context(), s.URL, ""); !slices.Equal(found, []proposal{{"ui", "/ui/?a=1", 200, 4}}) {
		t.Errorf("%+v", found)
	}
	if found, _ := propose(t.Context(), s.URL, "/away"); !slices.Equal(found, []proposal{{"away", "/away", 302, -1}}) {
		t.Errorf("%+v", found)
	}
}

func TestPropose_ofAnApplicationBeneathAPath(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /clinic/actuator/mappings", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, mappings) })
	mux.HandleFunc("GET /clinic/owners/1", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "one") })
	mux.HandleFunc("GET /clinic/actuator/health", func(http.ResponseWriter, *http.Request) {})
	s := httptest.NewServer(mux)
	defer s.Close()
	for _, path := range []string{"/clinic", "/clinic/"} {
		found, source := propose(t.Context(), s.URL, path)
		if source != "/clinic/actuator/mappings" || !slices.Equal(found, []proposal{{"clinic-owners-1", "/clinic/owners/1", 200, 3}}) {
			t.Errorf("%+v from %q", found, source)
		}
		d := &draft{Wish: Wish{Path: path}}
		if d.findReadiness(t.Context(), s.URL); d.spec.Readiness.Path != "/clinic/actuator/health" {
			t.Errorf("ready by %q", d.spec.Readiness.Path)
		}
	}
	d := &draft{Wish: Wish{Path: "/clinic/owners/1?all"}}
	if d.findReadiness(t.Context(), s.URL); d.spec.Readiness.Path != "/clinic/owners/1?all" {
		t.Errorf("ready by %q", d.spec.Readiness.Path)
	}
}

func TestLook_takesWhatIsOfferedForReadinessWhereNothingElseAnswers(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /q/openapi", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"openapi": "3.1.0", "paths": {"/fruits": {"get": {}}}}`)
	})
	mux.HandleFunc("GET /fruits", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "apples") })
	s := httptest.NewServer(mux)
	defer s.Close()
	d := &draft{}
	if d.look(t.Context(), s.URL); d.spec.Readiness.Path != "/fruits" || d.spec.Readiness.Port {
		t.Errorf("%+v", d.spec.Readiness)
	}
}
