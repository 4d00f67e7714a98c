package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
)

func rotateKey(ctx context.Context, args []string) error {
	var key, configPath string
	help, err := flags("rotate-key", "rotate-key [--key lba_…]", args, func(f *flag.FlagSet) {
		f.StringVar(&key, "key", "", "take this `key`, which an owner made on the machine's page, in place of making one")
		f.StringVar(&configPath, "config", "", "configuration written by register")
	})
	if help || err != nil {
		return err
	}
	if key != "" && !strings.HasPrefix(key, "lba_") {
		return usageError{errors.New("rotate-key: --key must begin with lba_; copy the whole line from the machine's page")}
	}
	_, path, err := home(configPath)
	if err != nil {
		return err
	}
	change := rotate
	if key != "" {
		change = func(ctx context.Context, path string) (config, api.KeyState, error) { return takeKey(ctx, path, key) }
	}
	c, state, err := change(ctx, path)
	if err != nil {
		return err
	}
	warnOfPlainHTTP(os.Stderr, c.URL)
	fmt.Printf("%s has a new key, which ends in %s%s.%s\nAn agent that runs takes it by itself.\n", c.Machine,
		c.AgentKey[max(0, len(c.AgentKey)-4):], until(", is good until %s and is renewed by itself before", state.ExpiresAt),
		until(" The old one is good until %s.", state.PreviousUntil))
	return nil
}

// takeKey keeps a key that an owner made, if it is this machine's.
func takeKey(ctx context.Context, path, key string) (config, api.KeyState, error) {
	c, unlock, err := openConfig(path)
	if err != nil {
		return c, api.KeyState{}, err
	}
	defer unlock()
	state, err := putKey(ctx, c.URL, key, key) // changes nothing, and says whether it is good
	if api.KeyRefused(err) {
		return c, state, fmt.Errorf("%s does not know this key: copy the whole line from the machine's page; "+
			"the key in use stays", c.URL)
	}
	if err != nil {
		return c, state, err
	}
	if state.MachineID != c.MachineID {
		return c, state, fmt.Errorf("this key is another machine's: make one on the page of %s; "+
			"the key in use stays", c.Machine)
	}
	return c, state, adopt(path, &c, key, state)
}

func until(format string, at *time.Time) string {
	if at == nil {
		return ""
	}
	return fmt.Sprintf(format, at.Local().Format("2006-01-02 15:04"))
}
