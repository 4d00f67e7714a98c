package main

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
)

// renewBefore is how long before its key expires an agent makes itself another. A machine that was off for longer
// than that gets a new key on its page.
const renewBefore = 30 * 24 * time.Hour

// newKey is one that nobody else can have: 256 random bits, of the form that the service knows.
func newKey() string {
	var bits [32]byte
	rand.Read(bits[:]) // never fails
	return "lba_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(bits[:]))
}

// errSuperseded: somebody else has made a key for this machine.
var errSuperseded = errors.New("another key took this one's place: if its owner made it, run the line from the " +
	"machine's page (loomboard-agent rotate-key --key …) here; if nobody did, somebody has used this machine's key: " +
	"make a new one on its page at once")

// rotate gives the machine of a configuration a new key. The key is kept before the service hears of it, and both are
// told again after a crash, so that there is no moment at which this machine has none that is good.
func rotate(ctx context.Context, path string) (config, api.KeyState, error) {
	c, unlock, err := openConfig(path)
	if err != nil {
		return c, api.KeyState{}, err
	}
	defer unlock()
	if c.NextKey == "" {
		c.NextKey = newKey()
		if err := writeConfig(path, c); err != nil {
			return c, api.KeyState{}, fmt.Errorf("the new key could not be kept, so it is not used: %w", err)
		}
	}
	state, err := putKey(ctx, c.URL, c.AgentKey, c.NextKey)
	if api.KeyRefused(err) { // the service has had the new one for so long that the old one is over
		state, err = putKey(ctx, c.URL, c.NextKey, c.NextKey)
	}
	if api.Status(err) == http.StatusConflict {
		c.NextKey = ""
		return c, state, errors.Join(fmt.Errorf("%w (%w)", errSuperseded, err), writeConfig(path, c))
	}
	if err != nil {
		return c, state, err
	}
	return c, state, adopt(path, &c, c.NextKey, state)
}

// adopt keeps a key that the service has.
func adopt(path string, c *config, key string, state api.KeyState) error {
	c.AgentKey, c.NextKey, c.KeyExpiresAt = key, "", state.ExpiresAt
	return writeConfig(path, *c)
}

func putKey(ctx context.Context, base, by, next string) (api.KeyState, error) {
	client, err := api.NewClient(base, by)
	if err != nil {
		return api.KeyState{}, err
	}
	return client.PutKey(ctx, next)
}

// openConfig reads a configuration that no other process changes until it is unlocked.
func openConfig(path string) (c config, unlock func(), err error) {
	unlock, err = lockConfig(path)
	if err != nil {
		return c, nil, err
	}
	if c, err = readConfig(path); err != nil {
		unlock()
	}
	return c, unlock, err
}

// lockConfig keeps two processes from changing a configuration at once. The kernel releases it with the process.
func lockConfig(path string) (unlock func(), err error) {
	f, err := lockFile(path + ".lock")
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// lockFile is one that the home's owner can lock, too, where root has made it. Only a new one is given away, and no link is
// followed: the owner could have put one there.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	}
	if err != nil {
		return nil, err
	}
	if err := durable.GiveToOwner(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// keeper sees to the key of an agent that runs.
type keeper struct {
	path   string
	client *api.Client
	log    *slog.Logger
	mu     sync.Mutex // one rotation at a time
}

// keep takes over a key that a command has put into the configuration, and renews one that is about to expire.
func (k *keeper) keep(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	c, err := readConfig(k.path)
	if err != nil {
		return err
	}
	due := c.KeyExpiresAt != nil && time.Until(*c.KeyExpiresAt) < renewBefore
	if c.NextKey == "" && !due {
		k.take(c)
		return nil
	}
	return k.renew(ctx)
}

// afterRefusal is a key that may be good where the present one is not; empty: there is none.
func (k *keeper) afterRefusal(ctx context.Context, refused string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key := k.client.Key(); key != refused {
		return key // it was replaced while the call was under way
	}
	c, err := readConfig(k.path)
	if err == nil && c.NextKey != "" {
		err = k.renew(ctx)
	} else if err == nil {
		k.take(c)
	}
	if err != nil {
		k.log.Error("no newer key was found", "error", err)
	}
	return k.client.Key()
}

func (k *keeper) renew(ctx context.Context) error {
	c, _, err := rotate(ctx, k.path)
	if err == nil {
		k.take(c)
	}
	return err
}

func (k *keeper) take(c config) {
	if k.client.Key() == c.AgentKey {
		return
	}
	k.client.SetKey(c.AgentKey)
	k.log.Info("took this machine's new key", "expires", c.KeyExpiresAt)
}
