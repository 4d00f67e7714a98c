package api

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// SigningKey is a key by which the service signs assignments and its list of servers.
type SigningKey struct {
	ID           string `json:"id"`                     // first 16 hexadecimal digits of SHA-256 of the key
	PublicKey    []byte `json:"publicKey"`              // Ed25519
	Announcement []byte `json:"announcement,omitempty"` // its signature by the key before it; nil: it is the first
}

// SigningKeys are all of them, oldest first; the last is the present one.
type SigningKeys struct {
	Keys []SigningKey `json:"keys"`
}

// Signed is an answer as it came, before anybody believes it.
type Signed struct {
	Body      []byte // what the signature is of
	Nonce     string // drawn for this request
	Signature string // the id of a key, a space, and the signature in base64; empty: there is none
}

// Assignment is what the body of an answer to a claim says.
func (s Signed) Assignment() (Assignment, error) {
	var out Assignment
	// Within v1 fields are only added, so unknown ones are not an error.
	err := json.Unmarshal(s.Body, &out)
	return out, err
}

func (s *Signed) read(res *http.Response) (err error) {
	s.Signature = res.Header.Get("Loomboard-Signature")
	s.Body, err = io.ReadAll(io.LimitReader(res.Body, answerBytes))
	return err
}

// signed asks for an answer that is signed for a new nonce; nil is an answer without content.
func (c *Client) signed(ctx context.Context, timeout time.Duration, method, path string) (*Signed, error) {
	var random [16]byte
	rand.Read(random[:]) // never fails
	out := Signed{Nonce: base64.RawURLEncoding.EncodeToString(random[:])}
	header := http.Header{"Loomboard-Nonce": {out.Nonce}}
	status, err := c.call(ctx, timeout, method, path, nil, header, &out)
	if err != nil || status == http.StatusNoContent {
		return nil, err
	}
	if !json.Valid(out.Body) {
		return nil, &Unreachable{
			Service: c.base,
			Err:     fmt.Errorf("%s %s: the answer cannot be read: it is not JSON", method, path),
		}
	}
	return &out, nil
}

// Claim asks for a run and waits for one; nil is none.
func (c *Client) Claim(ctx context.Context, wait time.Duration) (*Signed, error) {
	path := "/api/agent/v1/claim?waitSeconds=" + strconv.Itoa(int(wait.Seconds()))
	return c.signed(ctx, wait+claimSlack, http.MethodPost, path)
}

// ServerList asks for the list of servers that the service offers to install.
func (c *Client) ServerList(ctx context.Context) (*Signed, error) {
	return c.signed(ctx, callTimeout, http.MethodGet, "/api/agent/v1/server-list")
}

// SigningKeys asks for the keys by which assignments are signed.
func (c *Client) SigningKeys(ctx context.Context) (SigningKeys, error) {
	var out SigningKeys
	_, err := c.json(ctx, callTimeout, http.MethodGet, "/api/agent/v1/signing-keys", nil, &out)
	return out, err
}
