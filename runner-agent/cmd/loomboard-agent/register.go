package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/signing"
)

// apiToken is how tokens for scripts begin; a one-time token begins with lbr_.
const apiToken = "lbt_"

type registration struct {
	base, token, name, servers, configPath, publisher string
	unlessRegistered                                  bool
	allow                                             []string
}

func register(ctx context.Context, args []string) error {
	var r registration
	help, err := flags("register", "register --url URL --token lbr_…", args, func(f *flag.FlagSet) {
		f.StringVar(&r.base, "url", "", "address of the service (default $LOOMBOARD_URL)")
		f.StringVar(&r.token, "token", "", "one-time registration token from the service's machines page, or an API token (lbt_…) "+
			"that may register machines (default $LOOMBOARD_BOOTSTRAP_TOKEN, which `ps` does not show)")
		f.StringVar(&r.name, "name", "", "the machine's name for people, with an API token (default the host's name)")
		f.BoolVar(&r.unlessRegistered, "unless-registered", false,
			"do nothing if this machine is registered already; what it allows stays, too")
		f.StringVar(&r.servers, "servers", "", "folder of the servers to measure (default a clone's, else where install-servers puts them)")
		f.Func("allow-jvm-option", "a JVM `option` that the service's matrices may ask for here, or a prefix that ends in *; may be repeated "+
			"(default those of an earlier registration, else none)", func(option string) error {
			if !strings.HasPrefix(option, "-") {
				return errors.New("must begin with -")
			}
			r.allow = append(r.allow, option)
			return nil
		})
		publisherFlag(f, &r.publisher)
		f.StringVar(&r.configPath, "config", "", "where to keep the configuration (default agent.json in $LOOMBOARD_AGENT_HOME, else ~/.config/loomboard, root's in "+systemHome+")")
	})
	if help || err != nil {
		return err
	}
	home, path, err := home(r.configPath)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); r.unlessRegistered && !errors.Is(err, fs.ErrNotExist) {
		return sayRegistered(path)
	}
	if err := r.complete(); err != nil {
		return usageError{err}
	}
	if _, err := (config{}).takenFrom(r.publisher); err != nil {
		return usageError{fmt.Errorf("register: %w", err)}
	}
	return r.register(ctx, home, path)
}

// sayRegistered fails if the registration cannot be used: making another would leave a dead machine behind.
func sayRegistered(path string) error {
	c, err := readConfig(path)
	if err != nil {
		return fmt.Errorf("%w; to register it again, retire the machine on its page and remove the file", err)
	}
	fmt.Printf("Registered already as %s: %s\n", c.Machine, c.URL)
	return nil
}

// complete takes what was not given from the environment.
func (r *registration) complete() error {
	r.base = cmp.Or(r.base, os.Getenv("LOOMBOARD_URL"))
	r.token = cmp.Or(r.token, os.Getenv("LOOMBOARD_BOOTSTRAP_TOKEN"))
	if r.base == "" || r.token == "" {
		return errors.New("register: --url and --token are needed; the service's machines page has the whole line")
	}
	if !strings.HasPrefix(r.token, apiToken) {
		if r.name != "" {
			return errors.New("register: --name is for an API token (lbt_…); leave it out, a one-time token was given its name on the machines page")
		}
		return nil
	}
	if r.name == "" {
		host, err := os.Hostname()
		if err != nil {
			return fmt.Errorf("register: give the machine a --name, the host's is unknown: %w", err)
		}
		r.name = host
	}
	return nil
}

func (r *registration) register(ctx context.Context, home, path string) error {
	dir, err := serversDir(r.servers, config{}, home)
	if errors.Is(err, errNoServers) {
		dir, err = installedServers(home), nil // they come later
	}
	if err != nil {
		return err
	}
	client, err := api.NewClient(r.base, "")
	if err != nil {
		return usageError{err}
	}
	warnOfPlainHTTP(os.Stderr, r.base)
	here, err := registeredSettings(path, dir)
	if err != nil {
		return err
	}
	machine, err := here.read(ctx)
	if err != nil {
		return err
	}
	if machine.Takes, err = client.Features(ctx); err != nil {
		return err
	}
	for _, why := range machine.NotInService() {
		fmt.Fprintln(os.Stderr, "Note:", why)
	}
	inventory, err := machine.Inventory(version)
	if err != nil {
		return err
	}
	token, err := r.oneTimeToken(ctx)
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
	c := config{
		URL:             strings.TrimRight(r.base, "/"),
		MachineID:       answer.MachineID,
		Machine:         answer.Machine,
		Workspace:       answer.Workspace,
		AgentKey:        answer.AgentKey,
		KeyExpiresAt:    answer.KeyExpiresAt,
		Servers:         dir,
		Publisher:       r.publisher,
		AllowJVMOptions: append([]string{}, r.allow...),
	}
	if err := durable.Folder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := signing.Pin(filepath.Join(filepath.Dir(path), signing.FileName), answer.SigningKey); err != nil {
		return err
	}
	if err := keepOld(path, &c); err != nil {
		return err
	}
	if err := writeConfig(path, c); err != nil {
		return fmt.Errorf("the machine is registered, but its key could not be kept: remove the machine on its page and register again: %w", err)
	}
	next := "Start with: loomboard-agent run"
	if len(inventory.Servers) == 0 {
		next = "Next: loomboard-agent install-servers"
	}
	if needJDK(machine) != nil && c.JDKProvider == nil {
		next = "First of all, " + errNoJDK.Error() + ". Then: loomboard-agent install-servers"
	}
	fmt.Printf("Registered as %s: %s%s\nTo be measured: %s, %s. %s\n", answer.Machine, c.URL, answer.PageURL,
		counted(len(inventory.JDKs), "JDK"), counted(len(inventory.Servers), "server"), next)
	return nil
}

// counted is "1 JDK" or "3 JDKs".
func counted(n int, of string) string {
	if n != 1 {
		of += "s"
	}
	return fmt.Sprintf("%d %s", n, of)
}

// oneTimeToken is the given one, or one made by the API token.
func (r *registration) oneTimeToken(ctx context.Context) (string, error) {
	if !strings.HasPrefix(r.token, apiToken) {
		return r.token, nil
	}
	client, err := api.NewClient(r.base, r.token)
	if err != nil {
		return "", usageError{err}
	}
	token, err := client.RegistrationToken(ctx, r.name)
	switch api.Status(err) {
	case http.StatusUnauthorized:
		return "", errors.New("the service does not accept this API token: it must be the LOOMBOARD_BOOTSTRAP_TOKEN that the service was last started with")
	case http.StatusForbidden:
		return "", errors.New("this API token may not register machines: use one with the scope machine:register")
	}
	return token, err
}

// keepOld puts an earlier registration aside and takes over the owner's allow-list, unless another was given.
func keepOld(path string, c *config) error {
	old, err := readConfig(path)
	if err != nil {
		return nil // none that could be used
	}
	if old.AllowJVMOptions != nil && len(c.AllowJVMOptions) == 0 {
		c.AllowJVMOptions = old.AllowJVMOptions
	}
	c.LoadHost, c.Pin, c.Database, c.Labels, c.JDKProvider = old.LoadHost, old.Pin, old.Database, old.Labels, old.JDKProvider
	c.Publisher = cmp.Or(c.Publisher, old.Publisher)
	fmt.Println("The earlier registration is kept as", path+".old")
	return os.Rename(path, path+".old")
}
