// Package local runs a whole Loomboard on this machine, service, database and agent, for
// commands that show or prove something with all of it.
package local

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"loomboard.dev/agent/internal/provide"
)

// System is a whole Loomboard that runs.
type System struct {
	Client         *Client
	Service, Agent *Child
	Machine        string // slug of this machine

	token string // of the API, good while the service runs
	quiet bool   // see Options
}

// Options are what a site is made of.
type Options struct {
	Port           int
	AnotherPort    string // how another port is chosen: a format that takes its number; "": by -port
	Java, Jar      string // what runs the service
	Agent, Servers string // its program, and the folder of servers it may start
	AgentEnv       []string
	JVMOptions     []string          // that the machine, once registered, lets matrices ask for
	Pin            string            // of the machine's agent.json; "": as it is there
	JDKProvider    *provide.Settings // as Pin; nil: as it is there
	Settings       []string          // of the service, as NAME=value
	Results        string            // folder of results that ship, which the service shows; "": none
	Data           string            // folder of all data; it survives restarts
	Quiet          bool              // the service sleeps while a trial of a run that is followed is measured
}

// Flags declares an option for each but AnotherPort, AgentEnv, JVMOptions, Pin, JDKProvider, Settings, Results and Quiet; what was built is looked for in root, the repository's folder.
func (o *Options) Flags(flags *flag.FlagSet, root, data string, port int) {
	flags.IntVar(&o.Port, "port", port, "port of the pages")
	flags.StringVar(&o.Java, "java", "java", "the java (25 or newer) that runs the service")
	flags.StringVar(&o.Jar, "jar", filepath.Join(root, "backend/target/loomboard.jar"), "the service")
	flags.StringVar(&o.Agent, "agent", filepath.Join(root, "runner-agent/build/loomboard-agent"), "the agent")
	flags.StringVar(&o.Servers, "servers", filepath.Join(root, "sample-servers"), "folder of the sample servers")
	flags.StringVar(&o.Data, "data", data, "folder of all data; it survives restarts")
}

// Absolute makes paths good for processes in other folders.
func (o *Options) Absolute() error {
	for _, path := range []*string{&o.Jar, &o.Agent, &o.Data, &o.Servers} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = absolute
	}
	return nil
}

// Up starts the service and, once it answers, the agent, which it registers first if need be.
// What was started is stopped again when something fails.
func Up(ctx context.Context, o Options) (*System, error) {
	if err := os.MkdirAll(o.Data, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the data folder %s: %w", o.Data, err)
	}
	s := &System{quiet: o.Quiet}
	if err := s.up(ctx, o); err != nil {
		return nil, errors.Join(err, s.Down())
	}
	return s, nil
}

func (s *System) up(ctx context.Context, o Options) (err error) {
	if err := s.startService(ctx, o); err != nil {
		return err
	}
	if s.Machine, err = registerMachine(ctx, o, s.Client); err != nil {
		return err
	}
	if err := configure(o); err != nil {
		return err
	}
	s.Agent, err = startAgent(o)
	return err
}

// Down stops the agent and then the service, as far as they were started.
func (s *System) Down() (err error) {
	for _, child := range []*Child{s.Agent, s.Service} {
		if child != nil {
			err = errors.Join(err, child.Stop())
		}
	}
	return err
}
