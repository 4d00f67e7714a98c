package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/port"
	"loomboard.dev/agent/internal/provide"
)

//go:embed night.yaml
var matrix string

const (
	poll = 2 * time.Second
	// bringsIn is what the agent may take to bring the first builds and tell the service of them.
	bringsIn = 5 * time.Minute
	// judgedIn is what the service may take after a run to put its points into histories.
	judgedIn = 2 * time.Minute
	// cron is the densest that schedules take.
	cron = "0 * * * * ?"
)

// night is a catalogue and a whole Loomboard whose agent has no other JDKs than those of it.
type night struct {
	options
	catalogue *catalogue
	system    *local.System
	client    *local.Client // by a token that its owner made
	provider  provide.Settings
	first     []archive // offered from the beginning
	before    archive   // of these, the newest early access
	next      archive   // that appears meanwhile
	schedule  string    // path of its page
	damaged   time.Time // when the catalogue began to offer next, with an archive that is not that of its checksum
	refused   string    // what the machine's page said of that
	offered   time.Time // when the archive was mended
}

// prepare packs the archives, offers the first, and starts service and agent.
func prepare(ctx context.Context, o options, folder string) (n *night, err error) {
	n = &night{options: o}
	here := jdk.Options{}
	if o.jdks != "" {
		here.Also = []string{o.jdks}
	}
	found, err := jdk.Discover(ctx, here)
	if err != nil {
		return nil, err
	}
	if err := n.pack(ctx, found, filepath.Join(folder, "archives")); err != nil {
		return nil, err
	}
	if n.catalogue, err = openCatalogue(n.first); err != nil {
		return nil, err
	}
	if err := n.start(ctx, found, folder); err != nil {
		return nil, errors.Join(err, n.end())
	}
	return n, nil
}

func (n *night) pack(ctx context.Context, found jdk.Inventory, folder string) error {
	chosen, err := choose(found.Builds, n.serve)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, b := range chosen {
		a, err := packJDK(ctx, b, folder)
		if err != nil {
			return err
		}
		command.Say("packed %s from this machine: %d MiB", a.Slug, a.bytes>>20)
		n.first = append(n.first, a)
	}
	early, _ := newest(chosen, api.EarlyAccess)
	n.before = n.first[slices.IndexFunc(n.first, func(a archive) bool { return a.Identity == early.Identity })]
	home := filepath.Join(folder, "next")
	made, err := makeNext(ctx, n.before, home)
	if err != nil {
		return err
	}
	if n.next, err = packJDK(ctx, made, folder); err != nil {
		return err
	}
	command.Say("made %s from %s, for this test: its modules hold another version; nobody built or released it", made.Slug, n.before.Slug)
	return os.RemoveAll(home)
}

func (n *night) start(ctx context.Context, found jdk.Inventory, folder string) error {
	agent := filepath.Join(folder, "agent-alone")
	if err := agentAlone(agent, n.agent, found, os.Geteuid() == 0); err != nil {
		return err
	}
	free, err := port.Free()
	if err != nil {
		return err
	}
	var distributions []string
	for _, a := range n.first {
		if d := distribution(a); !slices.Contains(distributions, d) {
			distributions = append(distributions, d)
		}
	}
	n.provider = provide.Settings{Catalogue: n.catalogue.url, Distributions: distributions, Refresh: n.serve, Every: "1m", Cache: filepath.Join(folder, "jdks")}
	data := filepath.Join(folder, "data")
	if n.system, err = local.Up(ctx, local.Options{Port: free, Java: n.java, Jar: n.jar, Agent: agent, Servers: n.servers, Data: data,
		AgentEnv: []string{"LOOMBOARD_JDKS=", "JAVA_HOME="}, JDKProvider: &n.provider}); err != nil {
		return err
	}
	owner, err := local.SignIn(ctx, n.system, data)
	if err != nil {
		return err
	}
	token, err := owner.Token(ctx, "Night", "read", "schedule:write")
	if err != nil {
		return err
	}
	n.client = local.NewClient(n.system.Client.Base, token)
	return owner.Send(ctx, "/matrices/new", "/matrices/new", url.Values{"source": {matrix}, "visibility": {"public"}})
}

// end stops all that was started.
func (n *night) end() (err error) {
	if n.system != nil {
		err = n.system.Down()
	}
	return errors.Join(err, n.catalogue.close())
}

// play lets the schedule fire until all that must be seen was there, and gathers what came of it.
func (n *night) play(ctx context.Context) (f found, err error) {
	if err := n.awaitBuilds(ctx, n.first); err != nil {
		return f, err
	}
	if err := n.makeSchedule(ctx); err != nil {
		return f, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, n.most, fmt.Errorf("%s were not enough", n.most))
	defer cancel()
	firings, err := n.watch(ctx)
	if err != nil {
		return f, err
	}
	return n.gather(ctx, firings)
}

// awaitBuilds waits until the agent has brought builds and the service knows of them. The machine must have no others.
func (n *night) awaitBuilds(ctx context.Context, builds []archive) error {
	ctx, cancel := context.WithTimeoutCause(ctx, bringsIn, fmt.Errorf("the agent did not bring %s in %s", strings.Join(slugs(builds), ", "), bringsIn))
	defer cancel()
	command.Say("waiting until the agent has brought %s …", strings.Join(slugs(builds), ", "))
	return n.until(ctx, func() (bool, error) {
		var page struct {
			Machine struct{ JDKs []struct{ Slug string } }
		}
		if err := n.get(ctx, n.machine(), &page); err != nil {
			return false, err
		}
		var here []string
		for _, b := range page.Machine.JDKs {
			here = append(here, b.Slug)
			if !slices.Contains(slugs(builds), b.Slug) {
				return false, fmt.Errorf("the agent has %s, which it did not bring", b.Slug)
			}
		}
		return len(here) == len(builds), nil
	})
}

func (n *night) makeSchedule(ctx context.Context) error {
	request := map[string]any{"title": "Night in minutes", "matrix": "night", "machine": n.system.Machine, "cron": cron,
		"jdks": []string{"latest-ea", "previous-ea"}, "onlyNew": true, "overlap": "skip"}
	var stored struct {
		URL      string
		Warnings []string
	}
	if err := n.client.Call(ctx, http.MethodPost, "/api/v1/schedules", request, &stored); err != nil {
		return fmt.Errorf("cannot make the schedule: %w", err)
	}
	n.schedule = stored.URL
	command.Say("made a schedule, %s%s: each minute, what is new of latest-ea and previous-ea, beside a control", n.client.Base, stored.URL)
	for _, w := range stored.Warnings {
		command.Say("the service says: %s", w)
	}
	return nil
}

// watch follows the firings, oldest first, and has the new build appear once nothing was new: damaged first, and mended once the machine
// has said that it refused it. From the schedule's making on it asks for nothing but pages.
func (n *night) watch(ctx context.Context) (firings []firing, err error) {
	told := 0
	err = n.until(ctx, func() (bool, error) {
		var page struct{ Past []firing }
		if err := n.get(ctx, n.schedule+".json", &page); err != nil {
			return false, err
		}
		firings = page.Past
		slices.Reverse(firings)
		for ; told < len(firings); told++ {
			command.Say("firing %d, due %s: %s", told+1, clock(firings[told].At), firings[told].came())
		}
		if err := n.appear(ctx, firings); err != nil {
			return false, err
		}
		return n.seen(ctx, firings)
	})
	return firings, err
}

// appear offers the new build when it is time, and mends it when that is.
func (n *night) appear(ctx context.Context, firings []firing) (err error) {
	switch {
	case n.damaged.IsZero() && nothingNewAfter(firings, time.Time{}):
		n.catalogue.offerDamaged(n.next, n.before)
		n.damaged = time.Now()
		command.Say("the catalogue now offers %s, whose archive is not that of its checksum", n.next.Slug)
	case !n.damaged.IsZero() && n.offered.IsZero() && nothingNewAfter(firings, n.damaged):
		if n.refused, err = n.refusal(ctx); err != nil || n.refused == "" {
			return err
		}
		n.catalogue.mend(n.next)
		n.offered = time.Now()
		command.Say("the machine's page says: %s", n.refused)
		command.Say("the archive is mended")
	}
	return nil
}

// refusal is what the machine's page says of builds that are not brought; "": nothing.
func (n *night) refusal(ctx context.Context) (string, error) {
	var page struct {
		Machine struct{ Doctor *api.DoctorReport }
	}
	if err := n.get(ctx, n.machine(), &page); err != nil || page.Machine.Doctor == nil {
		return "", err
	}
	for _, f := range page.Machine.Doctor.Findings {
		if f.Check == provide.CheckName && f.State != api.CheckOK {
			return f.Found, nil
		}
	}
	return "", nil
}

// machine is the path of its page's JSON.
func (n *night) machine() string { return "/w/main/machines/" + n.system.Machine + ".json" }

// seen is whether there were enough firings, no run is open, the new build was measured, and afterwards nothing was new.
func (n *night) seen(ctx context.Context, firings []firing) (bool, error) {
	if n.offered.IsZero() || len(firings) < n.firings {
		return false, nil
	}
	for _, f := range firings {
		if f.Run == nil {
			continue
		}
		run, err := n.run(ctx, *f.Run)
		if err != nil || !run.Ended() {
			return false, err
		}
		if slices.Contains(measured(run), n.next.Slug) {
			return nothingNewAfter(firings, f.At), nil
		}
	}
	return false, nil
}

func (n *night) run(ctx context.Context, id string) (run local.Run, err error) {
	return run, n.get(ctx, "/api/v1/runs/"+id, &run)
}

func (n *night) get(ctx context.Context, path string, into any) error {
	return n.client.Call(ctx, http.MethodGet, path, nil, into)
}

// until asks again and again until it is so, or nothing more can come.
func (n *night) until(ctx context.Context, so func() (bool, error)) error {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		if is, err := so(); is || err != nil && ctx.Err() == nil {
			return err
		}
		if err := n.system.Wait(ctx, tick.C); err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return cause
			}
			return err
		}
	}
}
