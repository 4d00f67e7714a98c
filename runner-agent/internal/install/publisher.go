package install

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"loomboard.dev/agent/internal/signing"
)

// Files of a release that say what belongs to it.
const (
	SumsName      = "SHA256SUMS"     // as sha256sum writes it; it lists the list of servers, and that lists the packages
	SignatureName = "SHA256SUMS.sig" // by the publisher: the key's id, a space, base64, a line feed
	mostSignature = 1 << 10
)

// ofRelease begins what a publisher signs, so that no other signature of the key can be taken for one.
const ofRelease = "loomboard.release/1\n"

// Publisher is the key of who made a release. A service has not the private half, so an attacker who controls the service cannot offer
// other servers to a machine that knows this key.
type Publisher ed25519.PublicKey

// ParsePublisher reads the 32 bytes of RFC 8032 in base64.
func ParsePublisher(text string) (Publisher, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("publisher's key %.60q: must be the 44 characters that its publisher shows (32 bytes in base64)", text)
	}
	return Publisher(key), nil
}

// String is the key as ParsePublisher reads it.
func (p Publisher) String() string { return base64.StdEncoding.EncodeToString(p) }

// ID names the key.
func (p Publisher) ID() string { return signing.ID(p) }

// Release is what a service says of a release.
type Release struct {
	Sums      []byte
	Signature string // empty: it is unsigned by a publisher
}

// SignedBy is the id of the key that the release says to be signed by; empty: it is unsigned, or cannot be read.
func (r Release) SignedBy() string {
	id, _, err := signing.ParseSignature(r.Signature)
	if err != nil {
		return ""
	}
	return id
}

// Check is why a list of servers is not of a release of this publisher.
func (p Publisher) Check(r Release, list List) error {
	if r.Signature == "" {
		return fmt.Errorf("the release is unsigned by a publisher, and this machine takes servers of publisher %s only", p.ID())
	}
	id, signature, err := signing.ParseSignature(r.Signature)
	if err != nil {
		return fmt.Errorf("the release: %w", err)
	}
	if !ed25519.Verify(ed25519.PublicKey(p), append([]byte(ofRelease), r.Sums...), signature) {
		return fmt.Errorf("the release is not signed by publisher %s (it names the key %q): nothing is installed", p.ID(), id)
	}
	for line := range strings.Lines(string(r.Sums)) {
		if strings.TrimRight(line, "\n") == list.SHA256+"  "+ListName {
			return nil
		}
	}
	return fmt.Errorf("the list of servers is not that of the release which publisher %s signed: nothing is installed", p.ID())
}

// PublisherKey is the private half.
type PublisherKey struct{ key ed25519.PrivateKey }

// ParsePublisherKey reads what `openssl genpkey -algorithm ed25519` writes: PKCS #8 in PEM.
func ParsePublisherKey(text []byte) (PublisherKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return PublisherKey{}, errors.New("the publisher's key is no PEM: make one with openssl genpkey -algorithm ed25519")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		return PublisherKey{}, errors.Join(errors.New("the publisher's key is no private Ed25519 key (PKCS #8): make one with "+
			"openssl genpkey -algorithm ed25519"), err)
	}
	return PublisherKey{key}, nil
}

// Publisher is the public half, which machines have.
func (k PublisherKey) Publisher() Publisher { return Publisher(k.key.Public().(ed25519.PublicKey)) }

// Sign is the content of the file SignatureName.
func (k PublisherKey) Sign(sums []byte) string {
	signature := ed25519.Sign(k.key, append([]byte(ofRelease), sums...))
	return k.Publisher().ID() + " " + base64.StdEncoding.EncodeToString(signature) + "\n"
}
