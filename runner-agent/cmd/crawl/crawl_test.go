package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const rules = "User-agent: *\nDisallow: /*?\nAllow: /list?page=\nDisallow: /*.json$\n# nothing else\nSitemap: /sitemap.xml\n"

func TestRobots_theLongestRuleDecides(t *testing.T) {
	r := readRobots(rules)
	for path, want := range map[string]bool{
		"/": true, "/list": true, "/list?sort=a": false, "/list?page=2": true, "/list.json": false, "/list.json.html": true,
	} {
		if got := r.allow(path); got != want {
			t.Errorf("%s: %t, must be %t", path, got, want)
		}
	}
}

// serve is a site of pages: title, then body.
func serve(t *testing.T, pages map[string][2]string, siteMap ...string) string {
	t.Helper()
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch page, found := pages[r.URL.RequestURI()]; {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, rules)
		case r.URL.Path == "/sitemap.xml":
			fmt.Fprint(w, "<urlset>")
			for _, path := range siteMap {
				fmt.Fprintf(w, "<url><loc>%s%s</loc></url>", site.URL, path)
			}
			fmt.Fprint(w, "</urlset>")
		case !found:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html;charset=utf-8")
			fmt.Fprintf(w, "<html><head><title>%s</title></head><body>%s</body></html>", page[0], page[1])
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

func crawled(t *testing.T, base string) (*site, string, int) {
	t.Helper()
	s, err := crawl(t.Context(), base, 100, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	faults := report(&out, s)
	return s, out.String(), faults
}

func TestCrawl_ofASoundSiteFindsNoFault(t *testing.T) {
	base := serve(t, map[string][2]string{
		"/":            {"First", `<a href="/list">all</a> <a href="/list#last">the last</a> <a href="https://elsewhere.example/">else</a>`},
		"/list":        {"List", `<a href="?sort=name">sorted</a> <a href="/list.json">JSON</a> <a href="/list?page=2">more</a><p id="last"></p>`},
		"/list?page=2": {"List, page 2", ""},
	}, "/list")
	s, out, faults := crawled(t, base)
	if faults != 0 || len(s.pages) != 3 || len(s.kept) != 2 {
		t.Errorf("%d faults, %d pages, kept from %v:\n%s", faults, len(s.pages), s.kept, out)
	}
	if !strings.HasPrefix(out, "3 pages, 1 at 0 clicks, 1 at 1 clicks, 1 at 2 clicks;") {
		t.Error(out)
	}
}

func TestCrawl_tellsEachFault(t *testing.T) {
	base := serve(t, map[string][2]string{
		"/":  {"First", `<a href="/a">a</a> <a href="/none">gone</a> <a href="/a#nowhere">part</a>`},
		"/a": {"Same", `<a href="/b">b</a>`},
		"/b": {"Same", `<a href="/c">c</a>`},
		"/c": {"", `<a href="/d">d</a>`},
		"/d": {"Far", ""},
	}, "/a", "/alone")
	_, out, faults := crawled(t, base)
	if faults != 6 {
		t.Errorf("%d faults", faults)
	}
	for _, want := range []string{
		"dead links: 1\n  /none, on /: status 404", "links to parts that are not there: 1\n  /a#nowhere, on /", "without a title: 1\n  /c",
		`"Same": 2 pages, such as /a and /b`, "more than 3 clicks away: 1\n  /d, 4 clicks, from /c", "no link leads to: 1\n  /alone",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func TestCrawl_endsWhereAddressesDoNot(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" {
			fmt.Fprint(w, "<urlset></urlset>")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<a href="%s/1">on</a>`, strings.TrimSuffix(r.URL.Path, "/"))
	}))
	defer site.Close()
	s, err := crawl(t.Context(), site.URL, 50, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	report(&out, s)
	if !strings.Contains(out.String(), "\n1 known addresses were not visited (-most)\n  /1/…: 50\n") {
		t.Error(out.String())
	}
}
