package install

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// release is the golden example, whose signature was made by openssl.
type release struct{ PrivateKey, PublicKey, Sums, List, Signature string }

func goldenRelease(t *testing.T) (r release, publisher Publisher, key PublisherKey, list List) {
	t.Helper()
	text, err := os.ReadFile("testdata/signed-release.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if publisher, err = ParsePublisher(r.PublicKey); err != nil {
		t.Fatal(err)
	}
	if key, err = ParsePublisherKey([]byte(r.PrivateKey)); err != nil {
		t.Fatal(err)
	}
	if list, err = ParseList([]byte(r.List)); err != nil {
		t.Fatal(err)
	}
	return r, publisher, key, list
}

func TestPublisher_signsAndTakesTheGoldenExample(t *testing.T) {
	r, publisher, key, list := goldenRelease(t)
	if got := key.Sign([]byte(r.Sums)); got != r.Signature || key.Publisher().String() != r.PublicKey {
		t.Errorf("signed %q by %s, openssl signs %q", got, key.Publisher(), r.Signature)
	}
	if err := publisher.Check(Release{[]byte(r.Sums), strings.TrimSpace(r.Signature)}, list); err != nil {
		t.Error(err)
	}
}

func TestPublisher_refusesWhatItHasNotSigned(t *testing.T) {
	r, publisher, key, list := goldenRelease(t)
	signature := strings.TrimSpace(r.Signature)
	other := publisher
	other = append(Publisher{}, other...)
	other[0] ^= 1
	swapped := list
	swapped.SHA256 = strings.Repeat("b", 64)
	id, _, _ := strings.Cut(signature, " ")
	for says, c := range map[string]struct {
		by   Publisher
		r    Release
		list List
	}{
		"unsigned by a publisher":          {publisher, Release{[]byte(r.Sums), ""}, list},
		"cannot be read":                   {publisher, Release{[]byte(r.Sums), "x"}, list},
		"not signed by publisher":          {publisher, Release{[]byte(r.Sums + " "), signature}, list},
		"it names the key \"" + id + "\"":  {other, Release{[]byte(r.Sums), signature}, list},
		"is not that of the release":       {publisher, Release{[]byte(r.Sums), signature}, swapped},
		"is not that of the release which": {publisher, Release{[]byte("x" + r.Sums), strings.TrimSpace(key.Sign([]byte("x" + r.Sums)))}, list},
	} {
		if err := c.by.Check(c.r, c.list); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, must say %q", err, says)
		}
	}
}

func TestParsePublisher_refusesWhatIsNoKey(t *testing.T) {
	for _, text := range []string{"", "AAAA", "lba_secret", strings.Repeat("A", 64)} {
		if p, err := ParsePublisher(text); err == nil {
			t.Errorf("%q was read as %s", text, p)
		}
	}
	for _, text := range []string{"", "secret", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if _, err := ParsePublisherKey([]byte(text)); err == nil || !strings.Contains(err.Error(), "openssl genpkey") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestService_followsNoRedirectionAndTakesNoEndlessAnswer(t *testing.T) {
	asked := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer elsewhere.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, ListName):
			http.Redirect(w, r, elsewhere.URL+"/servers.json", http.StatusTemporaryRedirect)
		case strings.HasSuffix(r.URL.Path, SignatureName):
			for r.Context().Err() == nil { // without end
				if _, err := fmt.Fprint(w, strings.Repeat("x", 1<<10)); err != nil {
					return
				}
			}
		}
	}))
	defer s.Close()
	if _, err := (Service{s.URL}).List(t.Context()); err == nil || !strings.Contains(err.Error(), "307") || asked > 0 {
		t.Errorf("%v, elsewhere was asked %d times", err, asked)
	}
	if _, err := (Service{s.URL}).Release(t.Context()); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
}
