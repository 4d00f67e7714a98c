// Package signing checks that an assignment or a list of servers is the service's, made for this machine and for the request
// that it answers, by the service's key that this machine has pinned.
package signing

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
)

// FileName is of what is pinned, in the agent's home.
const FileName = "service-key.json"

// pin is the file. Who may write it decides which service this machine works for.
type pin struct {
	Key           []byte     `json:"key"`                     // Ed25519
	Previous      []byte     `json:"previous,omitempty"`      // the one that announced it
	PreviousUntil *time.Time `json:"previousUntil,omitempty"` // how long that one is good as well
}

// ID is how a key is named: the first 16 hexadecimal digits of its SHA-256.
func ID(key []byte) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:8])
}

// readPin is nil when nothing is pinned. A file that cannot be read is an error: it must not look like none.
func readPin(path string) (*pin, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var p pin
	err = json.Unmarshal(text, &p)
	if err == nil && len(p.Key) != ed25519.PublicKeySize {
		err = fmt.Errorf("the key has %d bytes, must have %d", len(p.Key), ed25519.PublicKeySize)
	}
	if err != nil {
		return nil, fmt.Errorf("%s holds the service's key and cannot be read; register this machine again: %w", path, err)
	}
	return &p, nil
}

func (p pin) write(path string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := durable.Write(path, append(text, '\n')); err != nil {
		return fmt.Errorf("the service's key could not be kept: %w", err)
	}
	return nil
}

// Pin makes a key the one that is believed from now on, whatever was pinned before: a person registers this machine.
// A nil key is a service that signs nothing, and nothing is pinned then.
func Pin(path string, key *api.SigningKey) error {
	if key == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := wellFormed(*key); err != nil {
		return err
	}
	return pin{Key: key.PublicKey}.write(path)
}

func wellFormed(key api.SigningKey) error {
	if len(key.PublicKey) != ed25519.PublicKeySize {
		return fmt.Errorf("signing key %.40q of the service has %d bytes, must have %d", key.ID, len(key.PublicKey),
			ed25519.PublicKeySize)
	}
	if key.ID != ID(key.PublicKey) {
		return fmt.Errorf("signing key %.40q of the service is really %s", key.ID, ID(key.PublicKey))
	}
	return nil
}
