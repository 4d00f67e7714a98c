package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// pages are a service in small: a form that remembers, and lines to copy.
func pages(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<nav><a href="/elsewhere">Make nothing</a></nav><main><p>Nothing   yet. <a href="new?x=1">Make
			one</a></p></main>`)
	})
	mux.HandleFunc("GET /new", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes"})
		fmt.Fprint(w, `<form action="/out"><button>Out</button></form><form action="/new" method="post"><input type="hidden" name="_csrf" value="t&amp;1">
			<label for="n">Name <span>of it</span></label><input id="n" name="name"><label for="k">Kind</label>
			<select id="k" name="kind"><option value="a">A</option><option value="b" selected>B</option></select>
			<select name="first"><option value="1">One</option><option value="2">Two</option></select>
			<input type="radio" name="when" value="now"><input type="radio" name="when" value="later" checked>
			<textarea name="text">so it is</textarea><button>Make it</button></form>`)
	})
	mux.HandleFunc("POST /new", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("name") == "" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `<main>Again <p id="name-problem">must have a name</p></main>`)
			return
		}
		fmt.Fprintf(w, `<main>%s %s</main><div role="group" aria-label="A line"><pre><code>a  &amp;&amp; "b"</code></pre></div>
			<div role="region" aria-label="Results"><table><thead><tr><th>Head</th></tr></thead><tbody><tr><td>1</td> <td>2</td></tr></tbody></table></div>`,
			r.PostForm.Encode(), r.Header.Get("Cookie"))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestBrowser_findsThingsByWhatTheyAreCalled(t *testing.T) {
	service := pages(t)
	b, err := newBrowser()
	if err != nil {
		t.Fatal(err)
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(b.open(t.Context(), service.URL))
	if !b.says("Nothing yet. Make one") || b.says("nothing") {
		t.Errorf("the page says %q", b.text())
	}
	do(b.follow(t.Context(), "Make one"))
	if err := b.press(t.Context(), "Make it", nil); !errors.Is(err, errRefused) || !strings.Contains(err.Error(), "must have a name") {
		t.Errorf("an empty form: %v", err)
	}
	do(b.open(t.Context(), service.URL+"/new"))
	do(b.press(t.Context(), "Make it", map[string]string{"Name": "x"}))
	if want := "_csrf=t%261&first=1&kind=b&name=x&text=so+it+is&when=later seen=yes"; !b.says(want) {
		t.Errorf("sent was %s, want %s", b.text(), want)
	}
	line, err := b.copied("A line")
	if err != nil || line != `a  && "b"` {
		t.Errorf("copied %q, %v", line, err)
	}
	if row := b.row("Results"); row == nil || text(row) != "1 2" {
		t.Error("no row of results")
	}
	if b.row("Others") != nil {
		t.Error("a row of a table that is not there")
	}
	if b.clicks != 3 || b.copies != 1 {
		t.Errorf("%d clicks and %d copies, want 3 and 1", b.clicks, b.copies)
	}
	for what, err := range map[string]error{
		"a link":   b.follow(t.Context(), "Nowhere"),
		"a button": b.press(t.Context(), "Nothing", nil),
	} {
		if err == nil || !strings.Contains(err.Error(), "on /new, which says") {
			t.Errorf("%s that is not there: %v", what, err)
		}
	}
}

func TestMachine_keepsItsShellFromLineToLine(t *testing.T) {
	shell := exec.Command("sh", "-i")
	shell.Env = []string{"PATH=/usr/bin:/bin", "PS1=" + prompt}
	m, err := startShell("bench", shell)
	if err != nil {
		t.Fatal(err)
	}
	defer m.stop()
	for _, line := range []string{"WORD=kept", "test $WORD = kept", "echo one; echo two >&2"} {
		if err := m.paste(line); err != nil {
			t.Error(err)
		}
	}
	if said := plain(m.output()); said != "one\ntwo" {
		t.Errorf("it said %q", said)
	}
	if err := m.paste("false"); err == nil || !strings.Contains(err.Error(), "ended with 1:\nfalse") {
		t.Errorf("a line that fails: %v", err)
	}
	if err := m.begin("cat"); err != nil { // it waits for input for ever
		t.Fatal(err)
	}
	if _, err := m.await(time.Millisecond, prompted); err == nil || !strings.Contains(err.Error(), "input that the walk does not give") {
		t.Errorf("a line that asks: %v", err)
	}
	if m.lines != 5 {
		t.Errorf("%d lines, want 5", m.lines)
	}
}
