package signing

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
)

// Each kind of message begins with a line of its own: a signature of one is none of another.
const (
	ofAssignment = "loomboard.assignment/1\n"
	ofServerList = "loomboard.server-list/1\n"
	ofKey        = "loomboard.signing-key/1\n"
	// overlap is how long the key before is good after a rotation: for what was signed while it was announced.
	overlap = time.Hour
)

// Keys are those of the service that this machine believes. For one goroutine.
type Keys struct {
	path      string
	machineID string
	client    *api.Client
	mayTrust  bool
	log       *slog.Logger
	pin       *pin // nil: none yet
	warned    bool
}

// Open reads what is pinned. mayTrust: nobody between here and the service can answer in its place (TLS, loopback), so
// that a machine which has pinned nothing may pin the first key that it sees.
func Open(path, machineID string, client *api.Client, mayTrust bool, log *slog.Logger) (*Keys, error) {
	p, err := readPin(path)
	return &Keys{path: path, machineID: machineID, client: client, mayTrust: mayTrust, log: log, pin: p}, err
}

// Update asks the service for its keys: it pins the first, and follows rotations that the pinned key has announced. A
// key that follows from nothing is an error, and what is pinned stays.
func (k *Keys) Update(ctx context.Context) error {
	if k.pin == nil && !k.mayTrust {
		k.warn("assignments are not checked: over plain http this machine pins no key of the service. " +
			"Use https, or register the machine again")
		return nil
	}
	all, err := k.client.SigningKeys(ctx)
	if k.pin == nil && (api.Status(err) == http.StatusNotFound || err == nil && len(all.Keys) == 0) {
		k.warn("assignments are not checked: this service signs none")
		return nil
	}
	if err != nil {
		return err
	}
	if k.pin == nil {
		return k.trust(all.Keys[len(all.Keys)-1])
	}
	return k.follow(all.Keys)
}

func (k *Keys) warn(text string) {
	if !k.warned {
		k.log.Warn(text)
	}
	k.warned = true
}

// trust pins a key on first use.
func (k *Keys) trust(key api.SigningKey) error {
	if err := wellFormed(key); err != nil {
		return err
	}
	p := pin{Key: key.PublicKey}
	if err := p.write(k.path); err != nil {
		return err
	}
	k.pin = &p
	k.log.Info("pinned the service's signing key, the first that this machine saw; from now on it works on nothing else",
		"key", key.ID)
	return nil
}

// follow goes from the pinned key to the present one, announcement by announcement.
func (k *Keys) follow(all []api.SigningKey) error {
	at := -1
	for i, key := range all {
		if err := wellFormed(key); err != nil {
			return err
		}
		if bytes.Equal(key.PublicKey, k.pin.Key) {
			at = i
		}
	}
	if at < 0 {
		return fmt.Errorf("the service does not show the key that this machine has pinned, %s: it is not the service that "+
			"this machine was registered with, or its database is another; if that is intended, register the machine again",
			ID(k.pin.Key))
	}
	next := *k.pin
	for _, key := range all[at+1:] {
		if !ed25519.Verify(next.Key, append([]byte(ofKey), key.PublicKey...), key.Announcement) {
			return fmt.Errorf("the service shows the key %s, which the key before it, %s, has not announced", key.ID,
				ID(next.Key))
		}
		until := time.Now().Add(overlap)
		next = pin{Key: key.PublicKey, Previous: next.Key, PreviousUntil: &until}
	}
	if bytes.Equal(next.Key, k.pin.Key) {
		return nil
	}
	if err := next.write(k.path); err != nil {
		return err
	}
	k.log.Info("the service's signing key was replaced, as the one before it had announced", "key", ID(next.Key), "was",
		ID(k.pin.Key))
	k.pin = &next
	return nil
}

// Pinned is the id of the key that is believed; empty: none is yet.
func (k *Keys) Pinned() string {
	if k.pin == nil {
		return ""
	}
	return ID(k.pin.Key)
}

// Check is why an assignment must not be worked on. Where nothing is pinned yet, nothing is wrong.
func (k *Keys) Check(ctx context.Context, s api.Signed) error { return k.check(ctx, ofAssignment, s) }

// CheckServerList is why nothing must be installed from a list. Where nothing is pinned yet, nothing is wrong.
func (k *Keys) CheckServerList(ctx context.Context, s api.Signed) error {
	return k.check(ctx, ofServerList, s)
}

func (k *Keys) check(ctx context.Context, kind string, s api.Signed) error {
	if k.pin == nil {
		return nil
	}
	id, signature, err := parse(s.Signature)
	if err != nil {
		return err
	}
	key := k.byID(id)
	if key == nil {
		err = k.Update(ctx) // it may have been replaced since
		key = k.byID(id)
	}
	if key == nil {
		return errors.Join(fmt.Errorf("it is signed by %s, which is not the service's key that this machine has pinned, %s",
			id, ID(k.pin.Key)), err)
	}
	text := append([]byte(kind+k.machineID+"\n"+s.Nonce+"\n"), s.Body...)
	if !ed25519.Verify(key, text, signature) {
		return fmt.Errorf("its signature by %s is wrong: it was changed on the way, made for another machine, or made for "+
			"an earlier request", id)
	}
	return nil
}

func parse(header string) (id string, signature []byte, err error) {
	if header == "" {
		return "", nil, errors.New("it is not signed, and this machine has pinned the service's key: a proxy that drops the " +
			"header Loomboard-Signature does that, and so does anybody who answers in place of the service")
	}
	return ParseSignature(header)
}

// ParseSignature reads the id of a key, a space, and a signature in base64.
func ParseSignature(from string) (id string, signature []byte, err error) {
	id, text, ok := strings.Cut(from, " ")
	signature, err = base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(signature) != ed25519.SignatureSize {
		return "", nil, fmt.Errorf("its signature %.100q cannot be read: must be the id of a key, a space, and base64", from)
	}
	return fmt.Sprintf("%.16s", id), signature, nil
}

// byID is nil for a key that is not believed.
func (k *Keys) byID(id string) ed25519.PublicKey {
	p := k.pin
	if id == ID(p.Key) {
		return p.Key
	}
	if p.PreviousUntil != nil && time.Now().Before(*p.PreviousUntil) && id == ID(p.Previous) {
		return p.Previous
	}
	return nil
}
