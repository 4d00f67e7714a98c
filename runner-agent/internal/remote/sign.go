// Package remote lets the load come from another host than the server's. The agent
// beside the server drives the trial; the load host does one thing: it runs a load
// process for whoever knows the shared secret, against the addresses that its owner
// allows, within the load core's own caps.
//
//	GET  /clock   {"now": "…"}                        to learn how the clocks differ
//	POST /load    load.Spec → lines of load.Window, then the load.Step or an error
//
// A request carries the time and an HMAC-SHA256 over method, path, time and body, so
// the secret never travels. Each is taken once. Answers are not signed: the link must
// be one's own.
package remote

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	timeHeader = "Loomboard-Time"
	macHeader  = "Loomboard-Mac"
	// oldest is how far a request's time may be from the load host's clock.
	oldest = 5 * time.Minute
	// leastSecret is about what cannot be guessed.
	leastSecret = 32
)

// Secret is shared by both hosts.
type Secret []byte

// ReadSecret reads it from a file that only its owner may read.
func ReadSecret(path string) (Secret, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s may be read by others: chmod 600 %s", path, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	secret := strings.TrimSpace(string(text))
	if len(secret) < leastSecret {
		return nil, fmt.Errorf("%s must hold at least %d characters: openssl rand -hex 32 > %s", path, leastSecret,
			path)
	}
	return Secret(secret), nil
}

func (s Secret) mac(method, path, at string, body []byte) string {
	m := hmac.New(sha256.New, s)
	fmt.Fprintf(m, "%s\n%s\n%s\n", method, path, at)
	m.Write(body)
	return hex.EncodeToString(m.Sum(nil))
}

func (s Secret) sign(r *http.Request, body []byte) {
	at := time.Now().UTC().Format(time.RFC3339Nano)
	r.Header.Set(timeHeader, at)
	r.Header.Set(macHeader, s.mac(r.Method, r.URL.Path, at, body))
}

var errRefused = errors.New("the request is not signed by the shared secret, is too old, or was made before; " +
	"both hosts need the same secret file and clocks that differ by less than 5 minutes")

// guard takes each signed request once.
type guard struct {
	secret Secret
	mu     sync.Mutex
	seen   map[string]time.Time
}

func (g *guard) check(r *http.Request, body []byte) error {
	at, mac := r.Header.Get(timeHeader), r.Header.Get(macHeader)
	if !hmac.Equal([]byte(mac), []byte(g.secret.mac(r.Method, r.URL.Path, at, body))) {
		return errRefused
	}
	made, err := time.Parse(time.RFC3339Nano, at)
	if err != nil || time.Since(made).Abs() > oldest {
		return errRefused
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for old, when := range g.seen {
		if time.Since(when) > 2*oldest {
			delete(g.seen, old)
		}
	}
	if _, again := g.seen[mac]; again {
		return errRefused
	}
	g.seen[mac] = time.Now()
	return nil
}
