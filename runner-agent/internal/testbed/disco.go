package testbed

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// DiscoBuild is one that a catalogue offers.
type DiscoBuild struct {
	ID           string
	Distribution string
	Version      string // 28-ea+18
	Archive      []byte
	File         string // the archive, where it is too large for Archive; then with Size and Checksum
	Size         int64
	Checksum     string // empty: that of the archive
	ChecksumType string // empty: sha256
	Unsigned     bool   // no signature is offered; those that are, answer Instead
}

// Disco is a catalogue that speaks the Disco API over archives of its own. The zero value offers none yet.
type Disco struct {
	URL string // what a provider is given

	mu        sync.Mutex
	builds    []DiscoBuild
	downloads int
	queries   []string // of packages, those parts that selectors change
	instead   map[string]http.HandlerFunc
}

// NewDisco starts one, which ends with the test.
func NewDisco(t testing.TB, builds ...DiscoBuild) *Disco {
	t.Helper()
	d := &Disco{builds: builds, instead: map[string]http.HandlerFunc{}}
	s := httptest.NewServer(d)
	t.Cleanup(s.Close)
	d.URL = s.URL + "/disco/v3.0"
	return d
}

// Offer adds a build.
func (d *Disco) Offer(b DiscoBuild) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.builds = append(d.builds, b)
}

// Withdraw takes back a build.
func (d *Disco) Withdraw(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.builds = slices.DeleteFunc(slices.Clone(d.builds), func(b DiscoBuild) bool { return b.ID == id })
}

// Instead answers what ends in a path: /packages, /ids/x, /archives/x.
func (d *Disco) Instead(path string, answer http.HandlerFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.instead[path] = answer
}

// Downloads is how many archives were asked for.
func (d *Disco) Downloads() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.downloads
}

// Queries are what packages were asked for: version, latest, release_status, term_of_support, distro; and are forgotten.
func (d *Disco) Queries() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	asked := d.queries
	d.queries = nil
	return asked
}

func (d *Disco) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	builds := slices.Clone(d.builds)
	var answer http.HandlerFunc
	for path, other := range d.instead {
		if strings.HasSuffix(r.URL.Path, path) {
			answer = other
		}
	}
	if strings.Contains(r.URL.Path, "/archives/") {
		d.downloads++
	}
	if strings.HasSuffix(r.URL.Path, "/packages") {
		ask := r.URL.Query()
		words := []string{ask.Get("version"), ask.Get("latest"), ask.Get("release_status"), ask.Get("term_of_support"), strings.Join(ask["distro"], ",")}
		d.queries = append(d.queries, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	}
	d.mu.Unlock()
	if answer != nil {
		answer(w, r)
		return
	}
	if strings.HasSuffix(r.URL.Path, "/packages") {
		_ = json.NewEncoder(w).Encode(map[string]any{"result": packages(builds, r), "message": ""})
		return
	}
	i := slices.IndexFunc(builds, func(b DiscoBuild) bool { return strings.HasSuffix(r.URL.Path, "/"+b.ID) })
	switch {
	case i < 0:
		w.WriteHeader(http.StatusNotFound)
	case strings.Contains(r.URL.Path, "/ids/"):
		_ = json.NewEncoder(w).Encode(map[string]any{"result": []any{builds[i].where("http://" + r.Host)}, "message": ""})
	case builds[i].File != "":
		http.ServeFile(w, r, builds[i].File)
	default:
		_, _ = w.Write(builds[i].Archive)
	}
}

// packages are as the public catalogue gives them: those of a stage, a feature and distributions, all or the newest of each feature, with
// more fields than are read.
func packages(builds []DiscoBuild, r *http.Request) []any {
	ask := r.URL.Query()
	some := []any{}
	for _, b := range builds {
		if !b.is(ask) || ask.Get("latest") == "available" && slices.ContainsFunc(builds, func(o DiscoBuild) bool {
			return o.is(ask) && o.Distribution == b.Distribution && o.numbers()[0] == b.numbers()[0] && slices.Compare(o.numbers(), b.numbers()) > 0
		}) {
			continue
		}
		some = append(some, map[string]any{"id": b.ID, "archive_type": "tar.gz", "distribution": b.Distribution, "java_version": b.Version,
			"release_status": b.stage(), "operating_system": "linux", "lib_c_type": ask.Get("libc_type"), "architecture": ask.Get("architecture"),
			"package_type": "jdk", "javafx_bundled": false, "directly_downloadable": true, "size": b.bytes(), "feature": []string{}})
	}
	return some
}

func (b DiscoBuild) is(ask url.Values) bool {
	feature := b.numbers()[0]
	return ask.Get("release_status") == b.stage() && (!ask.Has("version") || ask.Get("version") == strconv.Itoa(feature)) &&
		slices.Contains(ask["distro"], b.Distribution) && (ask.Get("term_of_support") != "lts" || feature%4 == 1)
}

func (b DiscoBuild) bytes() int64 {
	if b.File != "" {
		return b.Size
	}
	return int64(len(b.Archive))
}

func (b DiscoBuild) stage() string {
	if strings.Contains(b.Version, "-ea") {
		return "ea"
	}
	return "ga"
}

// numbers of 28-ea+18 are 28 and 18.
func (b DiscoBuild) numbers() (all []int) {
	for _, digits := range strings.FieldsFunc(b.Version, func(r rune) bool { return r < '0' || r > '9' }) {
		n, _ := strconv.Atoi(digits)
		all = append(all, n)
	}
	return all
}

func (b DiscoBuild) where(host string) map[string]any {
	sum := sha256.Sum256(b.Archive)
	checksum, kind := hex.EncodeToString(sum[:]), "sha256"
	if b.Checksum != "" {
		checksum = b.Checksum
	}
	if b.ChecksumType != "" {
		kind = b.ChecksumType
	}
	signature := host + "/archives/" + b.ID + ".sig"
	if b.Unsigned {
		signature = ""
	}
	return map[string]any{"filename": b.ID + ".tar.gz", "direct_download_uri": host + "/archives/" + b.ID, "download_site_uri": "",
		"signature_uri": signature, "checksum_uri": "", "checksum": checksum, "checksum_type": kind}
}

// TarFile is an entry of an archive; its Size is that of its content unless it is given.
type TarFile struct {
	tar.Header
	Content []byte
}

// TarGz packs entries as they are, however odd.
func TarGz(t testing.TB, files ...TarFile) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, f := range files {
		f.Size = int64(len(f.Content))
		if err := archive.WriteHeader(&f.Header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(f.Content); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// JDKFiles are a JDK that says who it is and runs nothing: its java is a script.
func JDKFiles(vendor, runtimeVersion string) []TarFile {
	arch := map[string]string{"arm64": "aarch64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	number := strings.FieldsFunc(runtimeVersion, func(r rune) bool { return r == '+' || r == '-' })[0]
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in
*-Xinternalversion*) echo 'OpenJDK 64-Bit Server VM (%[1]s) for linux JRE (%[1]s), built with gcc 14.2.0' ;;
*PrintFlagsFinal*) echo '     bool UseG1GC                                  = true                                      {product} {ergonomic}' ;;
*) cat >&2 <<'END'
Property settings:
    java.runtime.name = OpenJDK Runtime Environment
    java.runtime.version = %[1]s
    java.vendor = %[2]s
    java.vm.name = OpenJDK 64-Bit Server VM
    jdk.debug = release
    os.arch = %[3]s

END
esac
`, runtimeVersion, vendor, arch)
	release := fmt.Sprintf("IMPLEMENTOR=%q\nJAVA_VERSION=%q\nLIBC=\"gnu\"\n", vendor, number)
	top := "jdk-" + runtimeVersion + "/"
	return []TarFile{
		{Header: tar.Header{Typeflag: tar.TypeDir, Name: top, Mode: 0o755}},
		{Header: tar.Header{Typeflag: tar.TypeReg, Name: top + "bin/java", Mode: 0o755}, Content: []byte(script)},
		{Header: tar.Header{Typeflag: tar.TypeReg, Name: top + "release", Mode: 0o644}, Content: []byte(release)},
		{Header: tar.Header{Typeflag: tar.TypeReg, Name: top + "lib/modules", Mode: 0o644}, Content: []byte("image of " + vendor + runtimeVersion)},
		{Header: tar.Header{Typeflag: tar.TypeReg, Name: top + "lib/server/libjvm.so", Mode: 0o755}, Content: []byte("vm")},
		{Header: tar.Header{Typeflag: tar.TypeReg, Name: top + "legal/java.base/LICENSE", Mode: 0o444}, Content: []byte("GPL")},
		{Header: tar.Header{Typeflag: tar.TypeSymlink, Name: top + "legal/java.sql/LICENSE", Linkname: "../java.base/LICENSE", Mode: 0o777}},
	}
}

// JDKBuild is such a JDK of Temurin as a catalogue offers it.
func JDKBuild(t testing.TB, version string, more ...TarFile) DiscoBuild {
	t.Helper()
	return JDKBuildOf(t, "temurin", "Eclipse Adoptium", version, more...)
}

// JDKBuildOf is one of another distribution and its vendor.
func JDKBuildOf(t testing.TB, distribution, vendor, version string, more ...TarFile) DiscoBuild {
	t.Helper()
	files := JDKFiles(vendor, version)
	for _, f := range more {
		f.Name = filepath.Join("jdk-"+version, f.Name)
		files = append(files, f)
	}
	id := strings.NewReplacer("+", "_", ".", "_").Replace(version)
	if distribution != "temurin" {
		id = distribution + "-" + id
	}
	return DiscoBuild{ID: id, Distribution: distribution, Version: version, Archive: TarGz(t, files...)}
}
