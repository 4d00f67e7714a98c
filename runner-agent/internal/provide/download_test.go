package provide

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/testbed"
)

func TestFetch_refusesACatalogueThatHangsOrLies(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) }
	}
	at := func(address string) http.HandlerFunc {
		return text(fmt.Sprintf(`{"result": [{"direct_download_uri": %q, "checksum": %q, "checksum_type": "sha256"}]}`, address, strings.Repeat("ab", 32)))
	}
	to := func(address string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", address)
			w.WriteHeader(http.StatusFound)
		}
	}
	for name, c := range map[string]struct {
		path   string
		answer http.HandlerFunc
		says   string
	}{
		"hangs":                    {"/packages", hang, "the catalogue gave no whole answer in"},
		"is no API":                {"/packages", text("<html>"), "not what the Disco API gives"},
		"has other fields":         {"/packages", text(`{"result": {"a": 1}}`), "not what the Disco API gives"},
		"has no end":               {"/packages", endless, "larger than"},
		"is out of order":          {"/packages", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, "502"},
		"redirects to a file":      {"/packages", to("file:///etc/passwd"), "redirects to where it is not followed"},
		"redirects in the clear":   {"/packages", to("http://example.com/"), "redirects to where it is not followed"},
		"redirects without end":    {"/packages", to("/disco/v3.0/packages"), "redirects to where it is not followed"},
		"ends too early":           {"/packages", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "cannot be reached, or ends"},
		"does not say where":       {"/ids/28-ea_18", text(`{"result": []}`), "says 0 times where it is"},
		"names a file":             {"/ids/28-ea_18", at("file:///etc/passwd"), "no address"},
		"names one in the clear":   {"/ids/28-ea_18", at("http://example.com/jdk.tar.gz"), "no address"},
		"names one with a name":    {"/ids/28-ea_18", at("https://a:b@example.com/jdk.tar.gz"), "no address"},
		"stops in an archive":      {"/archives/28-ea_18", stops, "no byte for"},
		"redirects its archive":    {"/archives/28-ea_18", to("file:///etc/passwd"), "redirects to where it is not followed"},
		"has an archive too large": {"/archives/28-ea_18", endless, "is larger than"},
		"has lost its archive":     {"/archives/28-ea_18", http.NotFound, "404"},
	} {
		d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18"), testbed.JDKBuild(t, "27+35"))
		p := provider(t, d)
		here := fetched(t, p, "27")
		before := left(t, p)
		p.limits.answerBytes, p.limits.archive = 1<<20, 1<<20
		switch name { // what else is slow for a moment is not to be taken for it
		case "hangs":
			p.limits.answer = 300 * time.Millisecond
		case "stops in an archive":
			p.limits.stall = 300 * time.Millisecond
		}
		d.Instead(c.path, c.answer)
		_, isNew, err := fetch(t.Context(), p, "28-ea")
		if err == nil || isNew || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, must say %q", name, err, c.says)
		}
		if said := reason(err); strings.Contains(said, "127.0.0.1") || strings.Contains(said, p.Folder()) {
			t.Errorf("%s: %q is for everybody and names an address or a folder", name, said)
		}
		if after := left(t, p); !slices.Equal(before, after) {
			t.Errorf("%s: there was %v, there is %v", name, before, after)
		}
		if _, err := identify(t.Context(), here.Home); err != nil {
			t.Errorf("%s: what was there cannot be used: %v", name, err)
		}
	}
}

func TestDigestAt_isTheFirstWordOfAFile(t *testing.T) {
	build := testbed.JDKBuild(t, "28-ea+18")
	d := testbed.NewDisco(t, build)
	d.Instead("/ids/28-ea_18", func(w http.ResponseWriter, r *http.Request) {
		host := "http://" + r.Host
		where := map[string]any{"direct_download_uri": host + "/archives/28-ea_18", "checksum_uri": host + "/sum", "checksum_type": "sha256"}
		_ = json.NewEncoder(w).Encode(map[string]any{"result": []any{where}})
	})
	d.Instead("/sum", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%x  jdk.tar.gz\n", checksumOf(build.Archive))
	})
	fetched(t, provider(t, d), "28-ea")
}

func endless(w http.ResponseWriter, _ *http.Request) {
	for spaces := bytes.Repeat([]byte(" "), 64<<10); ; {
		if _, err := w.Write(spaces); err != nil {
			return
		}
	}
}

// stops sends some bytes and no more.
func stops(w http.ResponseWriter, r *http.Request) {
	_, _ = w.Write(make([]byte, 1000))
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func checksumOf(content []byte) []byte {
	h := checksum{kind: "sha256"}.hash()
	_, _ = h.Write(content)
	return h.Sum(nil)
}
