package provide

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
)

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

func TestFetch_thatIsKilledLeavesNothingForTheNext(t *testing.T) {
	d := testbed.NewDisco(t, testbed.JDKBuild(t, "28-ea+18"))
	p := provider(t, d)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "PROVIDE_TEST_CATALOGUE="+d.URL, "PROVIDE_TEST_CACHE="+p.Folder())
	_, err := cmd.StdinPipe() // which stays open
	if err != nil {
		t.Fatal(err)
	}
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
