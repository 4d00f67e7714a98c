package simulated

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
	"loomboard.dev/agent/internal/lease"
	"loomboard.dev/agent/internal/signing"
	"loomboard.dev/agent/internal/spool"
	"loomboard.dev/agent/internal/trial"
)

// Identity is what a machine is after its registration.
type Identity struct {
	MachineID  string          `json:"machineId"`
	Machine    string          `json:"machine"` // slug
	Key        string          `json:"key"`
	SigningKey *api.SigningKey `json:"signingKey"`
}

// Register makes a machine known; by is a client whose key is an API token.
func Register(ctx context.Context, base string, by *api.Client, m trial.Machine, name string) (Identity, error) {
	token, err := by.RegistrationToken(ctx, name)
	if err != nil {
		return Identity{}, err
	}
	inventory, err := m.Inventory(Version)
	if err != nil {
		return Identity{}, err
	}
	nobody, err := api.NewClient(base, "")
	if err != nil {
		return Identity{}, err
	}
	got, err := nobody.Register(ctx, api.RegisterRequest{Token: token, Inventory: inventory})
	return Identity{got.MachineID, got.Machine, got.AgentKey, got.SigningKey}, err
}

// Options of an agent. All but the functions can be written down for a process of its own.
type Options struct {
	Identity
	Service string        `json:"service"` // address
	Number  int           `json:"number"`  // of its machine
	Home    string        `json:"home"`
	Ledger  string        `json:"ledger"` // file; empty: InMemory has it
	Pace    Pace          `json:"pace"`
	Skew    time.Duration `json:"skew"` // of its clock
	Once    bool          `json:"once"`
	Backoff spool.Backoff `json:"backoff"`
	// DieAt is where the agent kills itself, as the kernel does, when it is there for the nth time (0, 1: the first): a phase;
	// "sealing", "sealed"; a Call and " sends" or " answered".
	DieAt string `json:"dieAt"`
	Nth   int    `json:"nth"`

	InMemory *Ledger                                         `json:"-"`
	Base     http.RoundTripper                               `json:"-"` // nil: one of its own
	OnCall   func(call Call, took time.Duration, status int) `json:"-"`
	Machines func(number int) trial.Machine                  `json:"-"` // nil: it writes the server into its home
	Log      *slog.Logger                                    `json:"-"` // nil: on standard error
}

// Serve is the agent: it works until ctx ends, its key is refused or, once, there is no more work.
func Serve(ctx context.Context, o Options) error {
	if err := durable.Folder(o.Home); err != nil {
		return err
	}
	machines := o.Machines
	if machines == nil {
		var err error
		if machines, err = Machines(o.Home); err != nil {
			return err
		}
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	ledger, closeLedger, err := o.ledger()
	if err != nil {
		return err
	}
	defer closeLedger()
	at := dieAt(o.DieAt, o.Nth)
	client, err := api.NewClient(o.Service, o.Key)
	if err != nil {
		return err
	}
	client.Over(func(base http.RoundTripper) http.RoundTripper {
		if o.Base != nil {
			base = o.Base
		}
		return wire{base: base, ledger: ledger, skew: o.Skew, at: at, onCall: o.OnCall}
	})
	pinned := filepath.Join(o.Home, signing.FileName)
	if _, err := os.Stat(pinned); errors.Is(err, fs.ErrNotExist) {
		if err := signing.Pin(pinned, o.SigningKey); err != nil {
			return err
		}
	}
	signatures, err := signing.Open(pinned, o.MachineID, client, false, log)
	if err != nil {
		return err
	}
	spooled, err := spool.Open(filepath.Join(o.Home, "spool"), spool.DefaultLimit, log)
	if err != nil {
		return err
	}
	return lease.Serve(ctx, lease.Config{
		Client:       client,
		Spool:        spooled,
		Home:         o.Home,
		JournalDir:   filepath.Join(o.Home, "journal"),
		AgentVersion: Version,
		ReadMachine:  func(context.Context) (trial.Machine, error) { return machines(o.Number), nil },
		RunTrial: func(ctx context.Context, m trial.Machine, j trial.Job, to trial.Sink, onPhase func(api.Phase)) (trial.Result, error) {
			return o.Pace.run(ctx, m, j, sink{to, ledger, at}, o.Skew, func(p api.Phase) {
				onPhase(p)
				at(string(p))
			})
		},
		Signatures: signatures,
		Once:       o.Once,
		Backoff:    o.Backoff,
		Log:        log,
	})
}

func (o Options) ledger() (*Ledger, func(), error) {
	if o.Ledger == "" {
		return o.InMemory, func() {}, nil
	}
	file, err := os.OpenFile(o.Ledger, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, err
	}
	ledger := NewLedger(file)
	return ledger, func() { _ = file.Close() }, ledger.Read(o.Ledger)
}

// dieAt kills this process when it is at a point for the nth time.
func dieAt(point string, nth int) func(string) {
	if point == "" {
		return func(string) {}
	}
	been := make(chan int, 1)
	been <- 0
	return func(at string) {
		if at != point {
			return
		}
		n := 1 + <-been
		if n >= nth {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until it has come
		}
		been <- n
	}
}

// Subcommand is the argument with which a program executes its own binary again as an agent.
const Subcommand = "simulated-agent"

// Main is an agent in a process of its own, whose options are the file at path. The result is the exit code.
func Main(ctx context.Context, path string) int {
	text, err := os.ReadFile(path)
	var o Options
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err == nil {
		err = Serve(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulated agent:", err)
		return 1
	}
	return 0
}
