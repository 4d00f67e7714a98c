package provide

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// catalogue is a server of the Disco API, version 3. Nothing that it says is trusted.
type catalogue struct {
	base          *url.URL
	distributions []string
	client        *http.Client
	limits        *limits
}

func parseBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	if base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("%q: an address without ? and # is needed", text)
	}
	return base, addressAllowed(base, isLoopback(base.Hostname()))
}

// addressAllowed lets archives and answers come over https alone. A catalogue on this very machine may do without.
func addressAllowed(u *url.URL, here bool) error {
	switch {
	case u.Scheme != "https" && (u.Scheme != "http" || !here || !isLoopback(u.Hostname())):
		return fmt.Errorf("%w: %.20q is not", errNotFollowed, u.Scheme)
	case u.Host == "" || u.User != nil:
		return fmt.Errorf("%w, to https://host/… without a name or password", errNotFollowed)
	}
	return nil
}

var errNotFollowed = errors.New("only https is followed, and http from this machine to itself")

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

func newCatalogue(base *url.URL, distributions []string, l *limits) *catalogue {
	c := &catalogue{base: base, distributions: distributions, limits: l}
	c.client = &http.Client{CheckRedirect: func(r *http.Request, before []*http.Request) error {
		if len(before) >= 5 {
			return fmt.Errorf("%w, and not without end", errNotFollowed)
		}
		return c.allowed(r.URL)
	}}
	return c
}

func (c *catalogue) allowed(u *url.URL) error { return addressAllowed(u, c.base.Scheme == "http") }

// listed is a package as the catalogue describes it.
type listed struct {
	ID              string `json:"id"`
	ArchiveType     string `json:"archive_type"`
	Distribution    string `json:"distribution"`
	JavaVersion     string `json:"java_version"`
	ReleaseStatus   string `json:"release_status"`
	OperatingSystem string `json:"operating_system"`
	Libc            string `json:"lib_c_type"`
	Architecture    string `json:"architecture"`
	PackageType     string `json:"package_type"`
	JavaFX          bool   `json:"javafx_bundled"`
	Downloadable    bool   `json:"directly_downloadable"`
	Size            int64  `json:"size"`
}

var (
	idForm        = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	architectures = map[string][]string{"amd64": {"x64", "amd64", "x86-64", "x86_64"}, "arm64": {"aarch64", "arm64"}}
)

func libc() string {
	if found, err := filepath.Glob("/lib/ld-musl-*"); err == nil && len(found) > 0 {
		return "musl"
	}
	return "glibc"
}

// offers are the builds for this machine in a stage and a scope: the newest of each feature, or all of one. None of another feature or
// vendor need be among them. No range of versions is sent: catalogues disagree on how one is written.
func (c *catalogue) offers(ctx context.Context, stage api.Stage, scope jdk.Scope) ([]Offer, error) {
	distributions := c.of(scope.Vendor)
	if len(distributions) == 0 {
		return nil, failed(nil, "builds of %.60s may not be brought (distributions in agent.json)", scope.Vendor)
	}
	ask := url.Values{"package_type": {"jdk"}, "operating_system": {"linux"}, "libc_type": {libc()}, "archive_type": {"tar.gz"},
		"architecture": architectures[runtime.GOARCH][:1], "directly_downloadable": {"true"}, "javafx_bundled": {"false"},
		"release_status": {string(stage)}, "distro": distributions, "latest": {"available"}}
	if scope.LongTerm {
		ask.Set("term_of_support", "lts")
	}
	if scope.Feature >= 0 {
		ask.Set("version", strconv.Itoa(scope.Feature))
		if scope.Older {
			ask.Set("latest", "all_of_version")
		}
	}
	address := c.base.JoinPath("packages")
	address.RawQuery = ask.Encode()
	var answer struct {
		Result []listed `json:"result"`
	}
	if err := c.ask(ctx, address, &answer); err != nil {
		return nil, err
	}
	var all []Offer
	for _, d := range distributions {
		for _, l := range answer.Result {
			if v, err := jdk.ParseVersion(l.JavaVersion); err == nil && l.Distribution == d && l.suits(stage) {
				all = append(all, Offer{Distribution: d, Version: l.JavaVersion, Stage: stage, Bytes: max(0, l.Size), id: l.ID, version: v})
			}
		}
	}
	return all, nil
}

// of are the distributions of a vendor; of none: all.
func (c *catalogue) of(vendor string) []string {
	if vendor == "" {
		return c.distributions
	}
	return slices.DeleteFunc(slices.Clone(c.distributions), func(d string) bool { return vendorOf(d) != vendor })
}

// suits is false of what was not asked for: the catalogue may not know a parameter, or lie.
func (l listed) suits(stage api.Stage) bool {
	return idForm.MatchString(l.ID) && l.ArchiveType == "tar.gz" && l.OperatingSystem == "linux" && l.Libc == libc() &&
		l.PackageType == "jdk" && !l.JavaFX && l.Downloadable && l.ReleaseStatus == string(stage) && len(l.JavaVersion) <= 60 &&
		slices.Contains(architectures[runtime.GOARCH], l.Architecture)
}

// archive is where an offer lies and what its bytes must be.
type archive struct {
	address   *url.URL
	sum       checksum
	signature string // where one is; empty: there is none
}

func (c *catalogue) archive(ctx context.Context, o Offer) (archive, error) {
	var answer struct {
		Result []struct {
			Address      string `json:"direct_download_uri"`
			Signature    string `json:"signature_uri"`
			Checksum     string `json:"checksum"`
			ChecksumType string `json:"checksum_type"`
			ChecksumAt   string `json:"checksum_uri"`
		} `json:"result"`
	}
	if err := c.ask(ctx, c.base.JoinPath("ids", o.id), &answer); err != nil {
		return archive{}, err
	}
	if len(answer.Result) != 1 {
		return archive{}, failed(nil, "the catalogue lists %s and says %d times where it is", o, len(answer.Result))
	}
	said := answer.Result[0]
	address, err := c.parse(said.Address)
	if err != nil {
		return archive{}, failed(err, "the catalogue gives no address for %s that is followed", o)
	}
	digest := said.Checksum
	if digest == "" && said.ChecksumAt != "" {
		if digest, err = c.digestAt(ctx, said.ChecksumAt); err != nil {
			return archive{}, err
		}
	}
	sum, err := parseChecksum(said.ChecksumType, digest)
	return archive{address, sum, said.Signature}, err
}

func (c *catalogue) parse(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err == nil {
		err = c.allowed(u)
	}
	return u, err
}

// digestAt is the first word of a small file, as sha256sum writes it.
func (c *catalogue) digestAt(ctx context.Context, address string) (string, error) {
	u, err := c.parse(address)
	if err != nil {
		return "", failed(err, "the catalogue gives no address for a checksum that is followed")
	}
	text, err := c.get(ctx, "the catalogue", u, 64<<10)
	if err != nil {
		return "", err
	}
	words := strings.Fields(string(text))
	if len(words) == 0 {
		return "", failed(nil, "the file of the checksum is empty")
	}
	return words[0], nil
}

// ask decodes one answer.
func (c *catalogue) ask(ctx context.Context, address *url.URL, into any) error {
	text, err := c.get(ctx, "the catalogue", address, c.limits.answerBytes)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(into); err != nil {
		return failed(err, "the catalogue's answer is not what the Disco API gives")
	}
	return nil
}

// get is a whole answer of at most so many bytes.
func (c *catalogue) get(ctx context.Context, what string, address *url.URL, most int64) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.limits.answer, fmt.Errorf("no whole answer in %v", c.limits.answer))
	defer cancel()
	body, err := c.open(ctx, what, address)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, most+1))
	if err != nil {
		return nil, unreachable(ctx, what, err)
	}
	if int64(len(text)) > most {
		return nil, failed(nil, "%s: the answer is larger than %d bytes", what, most)
	}
	return text, nil
}

// open begins an answer.
func (c *catalogue) open(ctx context.Context, what string, address *url.URL) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "loomboard-agent")
	request.Header.Set("Accept-Encoding", "identity") // an archive's checksum is that of its bytes as they lie there
	answer, err := c.client.Do(request)
	if err != nil {
		return nil, unreachable(ctx, what, err)
	}
	if answer.StatusCode != http.StatusOK {
		_ = answer.Body.Close()
		return nil, failed(nil, "%s: the answer was %d %s", what, answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	return answer.Body, nil
}

// unreachable says what was met without the addresses of it, which are in the error itself.
func unreachable(ctx context.Context, what string, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return failed(err, "%s gave %v", what, cause)
	}
	var lookup *net.DNSError
	var refused *Failure
	switch {
	case errors.As(err, &refused):
		return err
	case errors.As(err, &lookup):
		return failed(err, "the name of %s is not known", what)
	case errors.Is(err, errNotFollowed):
		return failed(err, "%s redirects to where it is not followed", what)
	}
	return failed(err, "%s cannot be reached, or ends before it is whole", what)
}

// checksum is what the bytes of an archive must add up to.
type checksum struct {
	kind   string // sha256 or sha512
	digest string // lower case
}

func parseChecksum(kind, digest string) (checksum, error) {
	sum := checksum{strings.ReplaceAll(strings.ToLower(kind), "-", ""), strings.ToLower(digest)}
	bytes, err := hex.DecodeString(sum.digest)
	switch {
	case sum.digest == "":
		return sum, failed(nil, "the catalogue gives no checksum, and what cannot be checked is not taken")
	case sum.kind != "sha256" && sum.kind != "sha512":
		return sum, failed(nil, "the catalogue gives a checksum of kind %.20q; only sha256 and sha512 are taken", kind)
	case err != nil, sum.kind == "sha256" && len(bytes) != 32, sum.kind == "sha512" && len(bytes) != 64:
		return sum, failed(nil, "the catalogue gives %.150q, which is no %s", digest, sum.kind)
	}
	return sum, nil
}

// stalled is a reader that ends when no byte came for a while.
type stalled struct {
	r      io.Reader
	timer  *time.Timer
	within time.Duration
}

func (s *stalled) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if n > 0 {
		s.timer.Reset(s.within)
	}
	return n, err
}
