package remote

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"loomboard.dev/agent/internal/load"
)

const (
	// mostSpec bounds a request: a spec with the most rows there may be.
	mostSpec = 2*load.MaxRowBytes + 2<<20
	// answersWithin is how long the other side may take to greet, to send its request, or to take a line.
	answersWithin = 30 * time.Second
	idleWithin    = 2 * time.Minute
)

// message is one line of the answer to a load.
type message struct {
	Window *load.Window `json:"window,omitempty"`
	Step   *load.Step   `json:"step,omitempty"`
	Error  string       `json:"error,omitempty"`
}

type clock struct {
	Now time.Time `json:"now"`
}

// Server is the load host.
type Server struct {
	Secret  Secret
	Targets []netip.Prefix // addresses that load may be sent to; none other
	Log     *slog.Logger

	patience time.Duration // answersWithin, unless a test has less
	turn     chan struct{} // holds one while a load is under way: one at a time
}

// Serve answers on a listener until ctx ends; a load under way then ends, too.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if len(s.Targets) == 0 {
		return errors.New("no target is allowed: name the server host's address, such as --target 10.0.0.2/32")
	}
	secure, err := s.Secret.tls()
	if err != nil {
		return err
	}
	s.patience = cmp.Or(s.patience, answersWithin)
	s.turn = make(chan struct{}, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /clock", s.clock)
	mux.HandleFunc("POST /load", s.load)
	web := &http.Server{Handler: mux, ReadTimeout: s.patience, WriteTimeout: s.patience, IdleTimeout: idleWithin,
		ErrorLog:    slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn), // says who did not know the secret
		BaseContext: func(net.Listener) context.Context { return ctx }}
	defer context.AfterFunc(ctx, func() { _ = web.Close() })()
	if err := web.Serve(tls.NewListener(l, secure)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *Server) clock(w http.ResponseWriter, _ *http.Request) {
	_ = json.NewEncoder(w).Encode(clock{time.Now()}) // the other side has gone
}

func (s *Server) load(w http.ResponseWriter, r *http.Request) {
	connection := http.NewResponseController(w)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostSpec))
	_ = connection.SetWriteDeadline(time.Now().Add(s.patience)) // of the answer, however long the request took
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var spec load.Spec
	if err := json.Unmarshal(body, &spec); err != nil {
		http.Error(w, "spec: "+err.Error(), http.StatusBadRequest)
		return
	}
	if err := s.allowed(spec.Target.URL); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if !s.takeTurn(r.Context(), ending) {
		http.Error(w, "another load is under way; this host sends one at a time", http.StatusConflict)
		return
	}
	defer func() { <-s.turn }()
	if !spec.StartAt.IsZero() && time.Until(spec.StartAt) < spec.Head {
		http.Error(w, "the load before it ended too late for this one to begin when it should", http.StatusConflict)
		return
	}
	s.Log.Info("sends load", "to", spec.Target.URL, "rate", spec.Rate, "for", spec.Duration)
	lines := json.NewEncoder(w)
	send := func(m message) {
		_ = connection.SetWriteDeadline(time.Now().Add(s.patience))
		_ = lines.Encode(m) // the other side has gone: r.Context() ends the load
		_ = connection.Flush()
	}
	send(message{}) // the load is accepted
	// Its own clock and cores: what the server's host said of them means nothing here.
	spec.CPUs, spec.Procs = nil, 0
	step, err := load.Run(r.Context(), spec, func(win load.Window) { send(message{Window: &win}) })
	if err != nil {
		send(message{Error: err.Error()})
		return
	}
	step.Windows = nil // they were sent
	send(message{Step: &step})
}

// ending is how long a load that was cancelled may take until its process is gone.
const ending = 2 * time.Second

// takeTurn waits for the load under way, if any: its agent may just have cancelled it for this one.
func (s *Server) takeTurn(ctx context.Context, most time.Duration) bool {
	alarm := time.NewTimer(most)
	defer alarm.Stop()
	select {
	case s.turn <- struct{}{}:
		return true
	case <-alarm.C:
	case <-ctx.Done():
	}
	return false
}

// allowed refuses every target that is not a literal address on the list: a name
// could mean something else by the time of the dial.
func (s *Server) allowed(target string) error {
	u, err := url.Parse(target)
	if err != nil {
		return fmt.Errorf("target: %w", err)
	}
	address, err := netip.ParseAddr(u.Hostname())
	if err != nil || !slices.ContainsFunc(s.Targets, func(p netip.Prefix) bool { return p.Contains(address.Unmap()) }) {
		return fmt.Errorf("load may not be sent to %s: this host's owner allows %v only", u.Host, s.Targets)
	}
	return nil
}
