package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

const someRun = "run_aaaaaaaaaaaaaaaaaaaa"

// bundleService has one run, and takes the same bytes back.
func bundleService(t *testing.T, content string) (url string, asked *http.Request) {
	t.Helper()
	asked = &http.Request{}
	refuse := func(w http.ResponseWriter, status int, title string) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(api.Problem{Title: title, Status: status})
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = *r
		switch {
		case r.Method == http.MethodGet && r.URL.Path == "/api/v1/runs/"+someRun+"/bundle":
			w.Header().Set("Content-Type", "application/zip")
			_, _ = io.WriteString(w, content)
		case r.Method == http.MethodPost && r.URL.Path == "/api/v1/bundles":
			if sent, _ := io.ReadAll(r.Body); string(sent) != content {
				refuse(w, http.StatusUnprocessableEntity, "no bundle")
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"runId": "run_bbbbbbbbbbbbbbbbbbbb", "url": "/runs/run_bbbbbbbbbbbbbbbbbbbb"}`)
		default:
			refuse(w, http.StatusNotFound, "Not found")
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func TestExport_writesTheBundleOfAPage(t *testing.T) {
	away(t)
	url, asked := bundleService(t, "the bundle")
	t.Setenv("LOOMBOARD_API_TOKEN", "lbt_token")
	file := filepath.Join(t.TempDir(), "run.zip")
	for _, page := range []string{url + "/runs/" + someRun, url + "/runs/" + someRun + "/verdicts?axis=jdk"} {
		if err := dispatch(t.Context(), []string{"export", page, "-o", file}); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != "the bundle" {
			t.Errorf("%s gives %q, %v", page, got, err)
		}
		if got := asked.Header.Get("Authorization"); got != "Bearer lbt_token" {
			t.Errorf("asked by %q", got)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExport_asksForACompactBundle(t *testing.T) {
	away(t)
	url, asked := bundleService(t, "the bundle")
	file := filepath.Join(t.TempDir(), "run.zip")
	for _, c := range []struct{ flags, query string }{{"-o " + file, ""}, {"--compact -o " + file, "content=compact"}} {
		if err := dispatch(t.Context(), append([]string{"export", url + "/runs/" + someRun}, strings.Fields(c.flags)...)); err != nil {
			t.Fatal(err)
		}
		if asked.URL.RawQuery != c.query {
			t.Errorf("%s asks %v", c.flags, asked.URL)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExport_leavesNothingWhereItFails(t *testing.T) {
	away(t)
	url, _ := bundleService(t, "the bundle")
	dir := t.TempDir()
	there := filepath.Join(dir, "there.zip")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
		exit int
	}{
		{[]string{url + "/runs/" + strings.Replace(someRun, "a", "b", 1), "-o", filepath.Join(dir, "new.zip")}, "Not found", exitFailed},
		{[]string{url + "/runs/" + someRun, "-o", there}, "is there already", exitUsage},
		{[]string{dir}, "no bundle can be made of it", exitUsage},
		{nil, "1 words are needed", exitUsage},
	} {
		err := dispatch(t.Context(), append([]string{"export"}, c.args...))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, must say %q", c.args, err, c.says)
		}
		if exit := exitCode(err, false); exit != c.exit {
			t.Errorf("%v ends with %d, must be %d", c.args, exit, c.exit)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("leaves %v, %v", files, err)
	}
	if got, err := os.ReadFile(there); err != nil || string(got) != "mine" {
		t.Errorf("wrote over a file: %q, %v", got, err)
	}
}

func TestExport_takesNoPageForABundle(t *testing.T) {
	away(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<p>Sign in to this network")
	}))
	defer s.Close()
	dir := t.TempDir()
	err := dispatch(t.Context(), []string{"export", s.URL + "/runs/" + someRun, "-o", filepath.Join(dir, "run.zip")})
	if err == nil || !strings.Contains(err.Error(), "application/zip") {
		t.Errorf("takes it: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("leaves %v", files)
	}
}

func TestImport_sendsTheFileByItsToken(t *testing.T) {
	away(t)
	url, asked := bundleService(t, "the bundle")
	file := filepath.Join(t.TempDir(), "run.zip")
	if err := os.WriteFile(file, []byte("the bundle"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := dispatch(t.Context(), []string{"import", file, "--url", url})
	if exit := exitCode(err, false); exit != exitUsage || !strings.Contains(err.Error(), "LOOMBOARD_API_TOKEN is needed") {
		t.Errorf("without a token: %d, %v", exit, err)
	}
	t.Setenv("LOOMBOARD_API_TOKEN", "lbt_token")
	if err := dispatch(t.Context(), []string{"import", file, "--url", url, "--visibility", "public"}); err != nil {
		t.Fatal(err)
	}
	if asked.URL.RawQuery != "visibility=public" || asked.Header.Get("Authorization") != "Bearer lbt_token" ||
		asked.Header.Get("Content-Type") != "application/zip" {
		t.Errorf("asks %v with %v", asked.URL, asked.Header)
	}
	if err := os.WriteFile(file, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dispatch(t.Context(), []string{"import", file, "--url", url}); err == nil || !strings.Contains(err.Error(), "no bundle") {
		t.Errorf("does not say what the service said: %v", err)
	}
}

func TestImport_refusesWhatIsNoFileOrTooLarge(t *testing.T) {
	away(t)
	t.Setenv("LOOMBOARD_API_TOKEN", "lbt_token")
	dir := t.TempDir()
	large := filepath.Join(dir, "large.zip")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, api.MostBundleBytes+1); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{dir, large, filepath.Join(dir, "none.zip")} {
		err := dispatch(t.Context(), []string{"import", file, "--url", "http://localhost:1"})
		if exit := exitCode(err, false); exit != exitUsage {
			t.Errorf("%s ends with %d: %v", file, exit, err)
		}
	}
}
