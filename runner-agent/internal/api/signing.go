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

// SigningKey is a key by which the service signs assignments.
type SigningKey struct {
	ID           string `json:"id"`                     // first 16 hexadecimal digits of SHA-256 of the key
	PublicKey    []byte `json:"publicKey"`              // Ed25519
	Announcement []byte `json:"announcement,omitempty"` // its signature by the key before it; nil: it is the first
}

// SigningKeys are all of them, oldest first; the last is the present one.
type SigningKeys struct {
	Keys []SigningKey `json:"keys"`
}

// Claimed is the answer to a claim as it came, before anybody believes it.
type Claimed struct {
	Body      []byte // what the signature is of
	Nonce     string // drawn for this claim
	Signature string // the id of a key, a space, and the signature in base64; empty: there is none
}

// Assignment is what the body says.
func (c Claimed) Assignment() (Assignment, error) {
	var out Assignment
	// Within v1 fields are only added, so unknown ones are not an error.
	err := json.Unmarshal(c.Body, &out)
	return out, err
}

func (c *Claimed) read(res *http.Response) (err error) {
	c.Signature = res.Header.Get("Loomboard-Signature")
	c.Body, err = io.ReadAll(io.LimitReader(res.Body, answerBytes))
	return err
}

// Claim asks for a run and waits for one; nil is none.
func (c *Client) Claim(ctx context.Context, wait time.Duration) (*Claimed, error) {
	var random [16]byte
	rand.Read(random[:]) // never fails
	out := Claimed{Nonce: base64.RawURLEncoding.EncodeToString(random[:])}
	path := "/api/agent/v1/claim?waitSeconds=" + strconv.Itoa(int(wait.Seconds()))
	header := http.Header{"Loomboard-Nonce": {out.Nonce}}
	status, err := c.call(ctx, wait+claimSlack, http.MethodPost, path, nil, header, &out)
	if err != nil || status == http.StatusNoContent {
		return nil, err
	}
	if !json.Valid(out.Body) {
		return nil, &Unreachable{
			Service: c.base,
			Err:     fmt.Errorf("POST %s: the answer cannot be read: it is not JSON", path),
		}
	}
	return &out, nil
}

// SigningKeys asks for the keys by which assignments are signed.
func (c *Client) SigningKeys(ctx context.Context) (SigningKeys, error) {
	var out SigningKeys
	_, err := c.json(ctx, callTimeout, http.MethodGet, "/api/agent/v1/signing-keys", nil, &out)
	return out, err
}
