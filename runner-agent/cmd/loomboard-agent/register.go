package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/trial"
)

func register(ctx context.Context, args []string) error {
	var base, token, servers, configPath string
	help, err := flags("register", "register --url URL --token lbr_…", args, func(f *flag.FlagSet) {
		f.StringVar(&base, "url", "", "address of the service")
		f.StringVar(&token, "token", "", "one-time registration token from the service's machines page")
		f.StringVar(&servers, "servers", "", "folder of the sample servers")
		f.StringVar(&configPath, "config", "", "where to keep the configuration (default $LOOMBOARD_AGENT_HOME or ~/.config/loomboard, agent.json)")
	})
	if help || err != nil {
		return err
	}
	if base == "" || token == "" {
		return usageError{errors.New("register: --url and --token are needed; the service's machines page has the whole line")}
	}
	_, path, err := home(configPath)
	if err != nil {
		return err
	}
	dir, err := serversDir(servers, config{})
	if err != nil {
		return err
	}
	client, err := api.NewClient(base, "")
	if err != nil {
		return usageError{err}
	}
	warnOfPlainHTTP(base)
	machine, err := trial.ReadMachine(ctx, dir)
	if err != nil {
		return err
	}
	inventory, err := machine.Inventory(version)
	if err != nil {
		return err
	}
	answer, err := client.Register(ctx, api.RegisterRequest{Token: token, Inventory: inventory})
	if api.KeyRefused(err) {
		return errors.New("the service does not accept this token: it was used, has expired, or was not copied whole; get a new one from the machines page")
	}
	if err != nil {
		return err
	}
	c := config{URL: strings.TrimRight(base, "/"), MachineID: answer.MachineID, Machine: answer.Machine, Workspace: answer.Workspace,
		AgentKey: answer.AgentKey, Servers: dir, AllowJVMOptions: []string{}}
	if err := keepOld(path, &c); err != nil {
		return err
	}
	if err := writeConfig(path, c); err != nil {
		return fmt.Errorf("the machine is registered, but its key could not be kept: remove the machine on its page and register again: %w", err)
	}
	fmt.Printf("Registered as %s: %s%s\n%d JDKs and %d servers can be measured. Start with: loomboard-agent run\n",
		answer.Machine, c.URL, answer.PageURL, len(inventory.JDKs), len(inventory.Servers))
	return nil
}

// keepOld puts an earlier registration aside and takes over the owner's allow-list.
func keepOld(path string, c *config) error {
	old, err := readConfig(path)
	if err != nil {
		return nil // none that could be used
	}
	if old.AllowJVMOptions != nil {
		c.AllowJVMOptions = old.AllowJVMOptions
	}
	fmt.Println("The earlier registration is kept as", path+".old")
	return os.Rename(path, path+".old")
}

// warnOfPlainHTTP: the key would travel in the clear.
func warnOfPlainHTTP(base string) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" || u.Hostname() == "localhost" {
		return
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsLoopback() {
		return
	}
	fmt.Fprintln(os.Stderr, "Warning: over http the agent's key can be read on the way; use https beyond this machine.")
}
