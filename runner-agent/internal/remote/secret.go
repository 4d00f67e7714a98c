// Package remote lets the load come from another host than the server's. The agent
// beside the server drives the trial; the load host does one thing: it runs a load
// process for callers who know the shared secret, against the addresses that its owner
// allows, within the load core's own caps.
//
//	GET  /clock   {"now": "…"}                        to learn how the clocks differ
//	POST /load    load.Spec → lines of load.Window, then the load.Step or an error
//
// Both hosts make the same certificate of the secret, show it to each other in TLS, and
// take no other. The secret never travels.
package remote

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"
)

const (
	// leastSecret is about what cannot be guessed.
	leastSecret = 32
	// holder is the name in the certificate, whatever the hosts are called.
	holder = "holder-of-the-secret.loomboard.invalid"
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

// tls is the configuration of either host: it shows the certificate made of the secret and takes only one of the same key.
func (s Secret) tls() (*tls.Config, error) {
	seed, err := hkdf.Key(sha256.New, s, nil, "loomboard load host", ed25519.SeedSize)
	if err != nil {
		return nil, err
	}
	key := ed25519.NewKeyFromSeed(seed)
	certificate := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: holder},
		DNSNames:     []string{holder},
		NotBefore:    time.Unix(0, 0), // the hosts' clocks need not agree
		NotAfter:     time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		// It vouches for itself, also when another version of the agent writes it in other bytes.
		BasicConstraintsValid: true,
		IsCA:                  true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	encoded, err := x509.CreateCertificate(rand.Reader, certificate, certificate, key.Public(), key)
	if err != nil {
		return nil, err
	}
	if certificate, err = x509.ParseCertificate(encoded); err != nil {
		return nil, err
	}
	only := x509.NewCertPool()
	only.AddCert(certificate)
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{{Certificate: [][]byte{encoded}, PrivateKey: key}},
		ServerName:   holder,
		RootCAs:      only,
		ClientCAs:    only,
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}, nil
}
