package provide

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

func quiet(Progress) {}

func provider(t testing.TB, d *testbed.Disco, change ...func(*Settings)) *Provider {
	t.Helper()
	s := Settings{Catalogue: d.URL, Distributions: []string{"temurin"}}
	for _, c := range change {
		c(&s)
	}
	p, err := New(s, filepath.Join(t.TempDir(), "cache"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// left are the names in the cache besides its lock.
func left(t testing.TB, p *Provider) []string {
	t.Helper()
	entries, err := os.ReadDir(p.Folder())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		if e.Name() != lockName && e.Name() != neededName {
			names = append(names, e.Name())
		}
	}
	return names
}

func fetched(t testing.TB, p *Provider, word string) Entry {
	t.Helper()
	e, isNew, err := fetch(t.Context(), p, word)
	if err != nil || !isNew {
		t.Fatalf("%s: new %v, %v", word, isNew, err)
	}
	return e
}

// fetch is of a selector that means one build.
func fetch(ctx context.Context, p *Provider, word string) (e Entry, isNew bool, err error) {
	brought, err := p.Fetch(ctx, word, quiet)
	if len(brought) > 0 {
		return brought[0].Entry, brought[0].New, err
	}
	return Entry{}, false, err
}

func TestFetch_bringsTheNewestOfASelectorOnce(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+17"), testbed.JDKBuild(t, "28-ea+18"), testbed.JDKBuild(t, "27+35"), testbed.JDKBuild(t, "25.0.3+9"))
	p := provider(t, d)
	e := fetched(t, p, "28-ea")
	want := "temurin-28-ea_18-" + e.Slug[strings.LastIndex(e.Slug, "-")+1:]
	if e.Slug != want || e.Source != "temurin 28-ea+18" || !strings.HasPrefix(e.Checksum, "sha256:") || !e.Signed || e.Bytes < 100 {
		t.Errorf("brought %+v", e)
	}
	found, err := jdk.Discover(t.Context(), jdk.Options{Dirs: []string{}, Also: []string{p.Folder()}, CacheDir: t.TempDir(), Env: func(string) string { return "" }})
	if err != nil || len(found.Builds) != 1 || found.Builds[0].Identity != e.Identity || len(found.Excluded) > 0 {
		t.Errorf("the machine has %+v, %v", found, err)
	}
	if again, isNew, err := fetch(t.Context(), p, "28-ea"); err != nil || isNew || again.Identity != e.Identity || d.Downloads() != 1 {
		t.Errorf("again: %+v, new %v, %v, %d downloads", again, isNew, err, d.Downloads())
	}
	for word, source := range map[string]string{"latest-ga": "temurin 27+35", "25": "temurin 25.0.3+9", strings.Replace(want, "18", "17", 1): "temurin 28-ea+17"} {
		if e := fetched(t, p, word); e.Source != source {
			t.Errorf("%s brought %s", word, e.Source)
		}
	}
	if _, _, err := fetch(t.Context(), p, "29-ea"); !errors.Is(err, ErrNothing) {
		t.Errorf("of what is not offered: %v", err)
	}
}

func TestFetch_bringsNothingThatItsOwnerDoesNotAllow(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18"), testbed.JDKBuild(t, "27+35"))
	p := provider(t, d, func(s *Settings) { s.Features = []int{27} })
	if _, _, err := fetch(t.Context(), p, "28-ea"); err == nil || !strings.Contains(err.Error(), "28 may not be brought") {
		t.Errorf("another feature: %v", err)
	}
	if _, _, err := fetch(t.Context(), p, "latest-ea"); !errors.Is(err, ErrNothing) {
		t.Errorf("the latest, which is another feature: %v", err)
	}
	if e := fetched(t, p, "latest"); e.Source != "temurin 27+35" || d.Downloads() != 1 {
		t.Errorf("brought %+v, %d downloads", e, d.Downloads())
	}
}

// with is a JDK's archive with one more entry.
func with(t testing.TB, more ...testbed.TarFile) []byte {
	return testbed.TarGz(t, append(testbed.JDKFiles("Eclipse Adoptium", "28-ea+18"), more...)...)
}

func entry(kind byte, name, target string) testbed.TarFile {
	return testbed.TarFile{Header: tar.Header{Typeflag: kind, Name: name, Linkname: target}}
}

func TestFetch_refusesABadArchiveInWordsAndLeavesNothing(t *testing.T) {
	good := with(t)
	md5sum := md5.Sum(good)
	for name, c := range map[string]struct {
		archive        []byte
		checksum, kind string
		says           string
	}{
		"wrong checksum": {good, strings.Repeat("ab", 32), "", "the catalogue says abababababababab"},
		"weak checksum":  {good, hex.EncodeToString(md5sum[:]), "md5", "only sha256 and sha512"},
		"no digest":      {good, "<b>none</b>", "", "which is no sha256"},
		"no archive":     {[]byte("<html>"), "", "", "not a gzip archive"},
		"cut off":        {good[:len(good)-20], "", "", "unexpected EOF"},
		"traversal":      {with(t, entry(tar.TypeReg, "jdk-28-ea+18/../../../evil", "")), "", "", "no name within"},
		"link out":       {with(t, entry(tar.TypeSymlink, "jdk-28-ea+18/lib/evil", "../../../evil")), "", "", "not known to lie"},
		"device":         {with(t, entry(tar.TypeChar, "jdk-28-ea+18/null", "")), "", "", "nothing else is unpacked"},
		"bomb": {with(t, testbed.TarFile{Header: tar.Header{Typeflag: tar.TypeReg, Name: "jdk-28-ea+18/bomb"},
			Content: make([]byte, 40<<20)}), "", "", "larger than allowed"},
		"no JDK":        {testbed.TarGz(t, entry(tar.TypeReg, "jdk/readme", "")), "", "", "it cannot be measured"},
		"another build": {testbed.TarGz(t, testbed.JDKFiles("Eclipse Adoptium", "27+35")...), "", "", "it is 27+35 of temurin, and temurin 28-ea+18 was offered"},
	} {
		d := testbed.NewDisco(t, testbed.DiscoBuild{ID: "x", Distribution: "temurin", Version: "28-ea+18", Archive: c.archive, Checksum: c.checksum, ChecksumType: c.kind})
		p := provider(t, d)
		_, isNew, err := fetch(t.Context(), p, "28-ea")
		if err == nil || isNew || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, must say %q", name, err, c.says)
		}
		if names := left(t, p); len(names) > 0 {
			t.Errorf("%s left %v", name, names)
		}
	}
}

// A hundred gigabytes of zeros are not written: what may come is bounded by the archive's own size.
func TestUnpack_endsABombEarly(t *testing.T) {
	d := testbed.NewDisco(t)
	p := provider(t, d)
	packed := filepath.Join(t.TempDir(), "bomb")
	if err := os.WriteFile(packed, with(t, testbed.TarFile{Header: tar.Header{Typeflag: tar.TypeReg, Name: "jdk-28-ea+18/bomb"}, Content: make([]byte, 64<<20)}), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	if err := p.unpack(t.Context(), packed, home); err == nil || !strings.Contains(err.Error(), "larger than allowed") {
		t.Fatalf("unpacked: %v", err)
	}
	if written, err := sizeOf(home); err != nil || written > 20<<20 {
		t.Errorf("%d bytes were written, %v", written, err)
	}
}

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

func TestFetch_fullDisk(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18", testbed.TarFile{Header: tar.Header{Typeflag: tar.TypeReg, Name: "lib/src.zip"}, Content: make([]byte, 8<<20)}),
		testbed.JDKBuild(t, "27+35"))
	p := provider(t, d, func(s *Settings) { s.Cache = testbed.SmallDisk(t, "2m") })
	fetched(t, p, "27")
	before := left(t, p)
	if _, _, err := fetch(t.Context(), p, "28-ea"); err == nil || !strings.Contains(reason(err), "disk of the cache is full") {
		t.Errorf("with a full disk: %v", err)
	}
	if after := left(t, p); !slices.Equal(before, after) {
		t.Errorf("there was %v, there is %v", before, after)
	}
}

func TestFetch_thatIsStoppedLeavesNothing(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18"))
	ctx, stop := context.WithCancel(t.Context())
	d.Instead("/archives/28-ea_18", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(make([]byte, 1000))
		w.(http.Flusher).Flush()
		stop()
		<-r.Context().Done()
	})
	p := provider(t, d)
	if _, _, err := fetch(ctx, p, "28-ea"); !errors.Is(err, context.Canceled) || len(left(t, p)) > 0 {
		t.Errorf("%v, left %v", err, left(t, p))
	}
}

func TestFetch_twoAtOnce(t *testing.T) {
	build := testbed.JDKBuild(t, "28-ea+18")
	d := testbed.NewDisco(t, build)
	begun, proceed := make(chan struct{}), make(chan struct{})
	d.Instead("/archives/28-ea_18", func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-proceed
		_, _ = w.Write(build.Archive)
	})
	p := provider(t, d)
	first := make(chan error, 1)
	go func() {
		_, _, err := fetch(t.Context(), p, "28-ea")
		first <- err
	}()
	<-begun
	if _, _, err := fetch(t.Context(), p, "28-ea"); !errors.Is(err, errBusy) {
		t.Errorf("the second: %v", err)
	}
	close(proceed)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	if _, isNew, err := fetch(t.Context(), p, "28-ea"); err != nil || isNew || d.Downloads() != 1 {
		t.Errorf("afterwards: new %v, %v, %d downloads", isNew, err, d.Downloads())
	}
}

// TestMain is also the fetch that is killed.
func TestMain(m *testing.M) {
	if catalogue := os.Getenv("PROVIDE_TEST_CATALOGUE"); catalogue != "" {
		p, err := New(Settings{Catalogue: catalogue, Distributions: []string{"temurin"}}, os.Getenv("PROVIDE_TEST_CACHE"), slog.Default())
		if err == nil {
			_, err = p.Fetch(context.Background(), "28-ea", func(at Progress) {
				if strings.HasPrefix(at.Doing, "unpacking") {
					fmt.Println(at.Doing)
					time.Sleep(time.Hour) // until it is killed
				}
			})
		}
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestFetch_thatIsKilledLeavesNothingForTheNext(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18"))
	p := provider(t, d)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "PROVIDE_TEST_CATALOGUE="+d.URL, "PROVIDE_TEST_CACHE="+p.Folder())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 9)
	if _, err := io.ReadFull(out, said); err != nil || string(said) != "unpacking" {
		t.Fatalf("it said %q, %v", said, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if names := left(t, p); len(names) != 1 || !strings.HasPrefix(names[0], workPrefix) {
		t.Fatalf("killed, it left %v", names)
	}
	// What a crash between the file and the home would leave, too.
	if err := p.cache.write(Entry{Slug: "x", Home: filepath.Join(p.Folder(), "x")}); err != nil {
		t.Fatal(err)
	}
	if err := p.Clean(); err != nil || len(left(t, p)) > 0 {
		t.Errorf("cleaned: %v, left %v", err, left(t, p))
	}
	fetched(t, p, "28-ea")
}

func TestByCommand_takesWhatTheOwnersCommandPuts(t *testing.T) {
	d := testbed.NewDisco(t)
	archive := filepath.Join(t.TempDir(), "jdk.tar.gz")
	if err := os.WriteFile(archive, with(t), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "get")
	text := `#!/bin/sh
case "$2" in
28-ea) tar -xzf "$1" -C "$3" ;;
27) ;;
26) touch "$3/x" ;;
*) echo "no $2 in $LOOMBOARD_JDK_CACHE" >&2; exit 1 ;;
esac
`
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	p := provider(t, d, func(s *Settings) { s.Distributions, s.Command = nil, []string{script, archive} })
	e := fetched(t, p, "28-ea")
	if e.Source != "command" || e.Checksum != "" {
		t.Errorf("brought %+v", e)
	}
	if _, isNew, err := fetch(t.Context(), p, "28-ea"); err != nil || isNew {
		t.Errorf("the same again: new %v, %v", isNew, err)
	}
	if _, _, err := fetch(t.Context(), p, "27"); !errors.Is(err, ErrNothing) {
		t.Errorf("nothing: %v", err)
	}
	for word, says := range map[string]string{"26": "put no JDK", "25": "no 25 in " + p.Folder()} {
		if _, _, err := fetch(t.Context(), p, word); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, must say %q", word, err, says)
		}
	}
	if names := left(t, p); len(names) != 2 {
		t.Errorf("left %v", names)
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

func checksumOf(content []byte) []byte {
	h := checksum{kind: "sha256"}.hash()
	_, _ = h.Write(content)
	return h.Sum(nil)
}
