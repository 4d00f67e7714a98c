package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// registration is what is kept about the machine it registered.
type registration struct {
	Machine string `json:"machine"` // slug
}

func agentHome(o Options) string { return filepath.Join(o.Data, "agent") }

// registerMachine makes this machine a runner of the service, once; later starts find it registered.
func registerMachine(ctx context.Context, o Options, c *Client) (string, error) {
	kept := filepath.Join(o.Data, "demo-machine.json")
	if machine, ok := registered(ctx, kept, c); ok {
		return machine, nil
	}
	var token struct{ Token, Machine string }
	if err := c.Call(ctx, http.MethodPost, "/api/v1/machines/registration-tokens",
		map[string]string{"name": "This machine"}, &token); err != nil {
		return "", fmt.Errorf("cannot get a registration token: %w", err)
	}
	args := []string{"register", "--url", c.Base, "--token", token.Token, "--servers", o.Servers}
	for _, option := range o.JVMOptions {
		args = append(args, "--allow-jvm-option", option)
	}
	register := exec.CommandContext(ctx, o.Agent, args...)
	register.Env = append(append(os.Environ(), "LOOMBOARD_AGENT_HOME="+agentHome(o)), o.AgentEnv...)
	if out, err := register.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the agent could not register: %w\n%s", err, out)
	}
	content, err := json.Marshal(registration{Machine: token.Machine})
	if err != nil {
		return "", err
	}
	fmt.Println("Registered this machine as", token.Machine)
	return token.Machine, os.WriteFile(kept, content, 0o600)
}

// registered tells which machine an earlier start registered, if the service still knows it.
func registered(ctx context.Context, kept string, c *Client) (string, bool) {
	content, err := os.ReadFile(kept)
	if err != nil {
		return "", false
	}
	var r registration
	if json.Unmarshal(content, &r) != nil || r.Machine == "" {
		return "", false
	}
	err = c.Call(ctx, http.MethodGet, "/w/main/machines/"+r.Machine+".json", nil, nil)
	return r.Machine, err == nil
}

// configure says in the agent's configuration how it keeps server and load apart, and from where it brings JDKs.
func configure(o Options) error {
	if o.Pin == "" && o.JDKProvider == nil {
		return nil
	}
	path := filepath.Join(agentHome(o), "agent.json")
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var config map[string]any
	if err := json.Unmarshal(content, &config); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if o.Pin != "" {
		config["pin"] = o.Pin
	}
	if o.JDKProvider != nil {
		config["jdkProvider"] = o.JDKProvider
	}
	if content, err = json.MarshalIndent(config, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(path, append(content, '\n'), 0o600)
}

// startAgent starts the runner that claims work from the service.
func startAgent(o Options) (*Child, error) {
	if _, err := os.Stat(o.Agent); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the agent is not built: run `make agent`")
	}
	return start("the agent", filepath.Join(o.Data, "agent.log"),
		append([]string{"LOOMBOARD_AGENT_HOME=" + agentHome(o)}, o.AgentEnv...), o.Agent, "run", "--servers", o.Servers)
}

const untilTold = 2 * time.Minute

// awaitBuilds returns when the service knows that the machine has the builds.
func (s *System) awaitBuilds(ctx context.Context, slugs ...string) error {
	limit := time.After(untilTold)
	for tick := time.NewTicker(time.Second); ; {
		var page struct {
			Machine struct{ JDKs []struct{ Slug string } }
		}
		if err := s.Client.Call(ctx, http.MethodGet, "/w/main/machines/"+s.Machine+".json", nil, &page); err != nil {
			return err
		}
		missing := slices.DeleteFunc(slices.Clone(slugs), func(slug string) bool {
			return slices.ContainsFunc(page.Machine.JDKs, func(had struct{ Slug string }) bool { return had.Slug == slug })
		})
		if len(missing) == 0 {
			return nil
		}
		select {
		case <-limit:
			return fmt.Errorf("after %s the agent has not told the service of %s; see its log, agent.log", untilTold, strings.Join(missing, ", "))
		default:
		}
		if err := s.Wait(ctx, tick.C); err != nil {
			return err
		}
	}
}
