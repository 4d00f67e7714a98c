package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"time"

	"loomboard.dev/agent/internal/answer"
	"loomboard.dev/agent/internal/load/rawhttp"
)

// Hard caps. A plan that asks for more is refused before a single hit leaves:
// the agent must never become somebody's tool for attacking others.
const (
	MaxRate        = 50_000.0             // hits/s
	MaxDuration    = time.Hour            // of one step
	MaxHits        = 20_000_000           // rate × duration of one step
	MaxWorkers     = 16_384               // concurrent hits
	MaxConnections = 16_384               // open connections
	MaxTimeout     = 4 * time.Minute      // must stay under the 5 minutes a histogram can hold
	MaxBody        = 1 << 20              // bytes of one request body
	MaxRows        = 10_000               // requests that hits send in turn
	MaxRowBytes    = 8 << 20              // of all of them
	MaxRedirects   = rawhttp.MaxRedirects // that one hit follows

	defaultTimeout    = 30 * time.Second
	defaultWorkerCap  = 4096
	maxStartWait      = 10 * time.Second
	descriptorReserve = 64 // descriptors kept free for everything that is not a connection
)

// Target is what the hits of a step send: one request, rows of it in turn, or the operations of a mix.
type Target struct {
	Method string            `json:"method"`
	URL    string            `json:"url"` // http or https, host loopback or private
	Header map[string]string `json:"header,omitempty"`
	Body   []byte            `json:"body,omitempty"`

	// Rows are what hits send in place of path, header and body: the k-th of an attack, its head
	// included, row k modulo their number. None: all hits send the same.
	Rows []Row `json:"rows,omitempty"`

	// Follow has redirects followed as long as they stay on the server; the hit ends with what
	// they lead to. Otherwise a redirect is an answer.
	Follow bool `json:"follow,omitempty"`

	// Mix is what hits do instead, each one operation: of this target its URL's host alone counts. Nil: none.
	Mix *Mix `json:"mix,omitempty"`
}

// Row is what differs between the requests of a step, or of an operation.
type Row struct {
	Path   string            `json:"path"` // with its query, from the URL's host
	Header map[string]string `json:"header,omitempty"`
	Body   []byte            `json:"body,omitempty"`
}

// url of the row.
func (r Row) url(target *url.URL) (*url.URL, error) {
	if !strings.HasPrefix(r.Path, "/") || strings.HasPrefix(r.Path, "//") {
		return nil, fmt.Errorf("load: path %q of a row must begin with one slash", r.Path)
	}
	u, err := target.Parse(r.Path)
	if err == nil && u.Host != target.Host {
		err = fmt.Errorf("load: path %q of a row leads to another host", r.Path)
	}
	return u, err
}

// Spec describes one step against one target. Which fields a profile has:
// Even (default): Rate. Poisson: Rate, Seed. Closed: Connections, no Rate.
// Zero values of the optional fields mean their documented default.
type Spec struct {
	Target   Target        `json:"target"`
	Success  *answer.Right `json:"success,omitempty"` // which answers are; nil: any 2xx
	Profile  Profile       `json:"profile,omitempty"`
	Rate     float64       `json:"rate,omitempty"` // hits/s, in thousandths of a hit; a mean if random
	Seed     uint64        `json:"seed,omitempty"` // of the random arrivals
	Duration time.Duration `json:"duration"`       // ns; intended send times lie in (0, Duration]

	// Head is for how long before intended time 0 the same load is sent over the same connections
	// (ns, whole seconds). Its hits are in no figure of the step; its windows have indexes below 0.
	// What the server answers within the step is work done in it, whichever hit it answers:
	// so is what it spends on that.
	Head time.Duration `json:"head,omitempty"`

	// StartAt is the wall-clock instant of intended time 0, so that others can be
	// ready for it; zero or past: as soon as everything is set up. A head begins before it.
	StartAt time.Time `json:"startAt,omitzero"`

	Timeout     time.Duration `json:"timeout,omitempty"`     // ns per hit, from its actual send; default 30 s
	Delay       time.Duration `json:"delay,omitempty"`       // ns that the target waits by declaration; response excess = response − this
	Drain       time.Duration `json:"drain,omitempty"`       // ns to wait for hits in flight after the end; default and most: Timeout
	MaxWorkers  int           `json:"maxWorkers,omitempty"`  // hits in flight at most; default min(4096, 2 × rate × timeout)
	Connections int           `json:"connections,omitempty"` // open connections at most; default MaxWorkers
	Procs       int           `json:"procs,omitempty"`       // GOMAXPROCS of the load process; default 1 to 4, see defaultProcs, but no more than CPUs
	CPUs        []int         `json:"cpus,omitempty"`        // pin the load process to these cores (Linux); default unpinned

	// Transport is RawHTTP (default for http:// and HTTP/1.1) or Standard.
	Transport Transport `json:"transport,omitempty"`
	HTTP      string    `json:"http,omitempty"` // HTTP1 (default) or HTTP2

	// Scheduling asks for a class for the load process; default Realtime, which
	// becomes Ordinary where it is not permitted. Health says what it was.
	Scheduling SchedulingClass `json:"scheduling,omitempty"`

	// Awake asks that no core of this host goes to sleep during the step (Linux):
	// waking one takes longer than the lag that is promised. Health says whether it was granted.
	Awake bool `json:"awake,omitempty"`

	// Pacer is for benches: CoarsePacer sleeps as Vegeta's own pacers do. Default: the finest timer.
	Pacer string `json:"pacer,omitempty"`
}

// Profile is how hits arrive.
type Profile string

// Even and Poisson are open: hits are intended at times of their own, however
// slow the server is. Closed keeps as many hits in flight as there are connections:
// the next is sent when the last is answered, so there is no response time.
const (
	Even    Profile = "constant"
	Poisson Profile = "poisson"
	Closed  Profile = "closed"
)

// Transport is the HTTP client.
type Transport string

// RawHTTP is package rawhttp, for plain HTTP/1.1; Standard is net/http.
const (
	RawHTTP  Transport = "lean"
	Standard Transport = "standard"
)

// CoarsePacer waits by time.Sleep.
const CoarsePacer = "coarse"

// Versions of HTTP.
const (
	HTTP1 = "1.1"
	HTTP2 = "2" // over TLS, or by prior knowledge where the target is http://
)

// WithDefaults returns the spec with every optional field filled in.
func (s Spec) WithDefaults() Spec {
	if s.Target.Method == "" {
		s.Target.Method = "GET"
	}
	if s.Profile == "" {
		s.Profile = Even
	}
	if s.Timeout == 0 {
		s.Timeout = defaultTimeout
	}
	if s.Drain == 0 || s.Drain > s.Timeout {
		s.Drain = s.Timeout
	}
	if s.Profile == Closed {
		s.MaxWorkers = s.Connections
	}
	if s.MaxWorkers == 0 && s.Profile != Closed {
		s.MaxWorkers = int(max(1, min(defaultWorkerCap, math.Ceil(2*s.Rate*s.Timeout.Seconds()))))
	}
	if s.Connections == 0 {
		s.Connections = s.MaxWorkers
	}
	if s.HTTP == "" {
		s.HTTP = HTTP1
	}
	if s.Transport == "" {
		s.Transport = Standard
		if s.HTTP == HTTP1 && strings.HasPrefix(s.Target.URL, "http://") {
			s.Transport = RawHTTP
		}
	}
	if s.Procs == 0 {
		s.Procs = s.defaultProcs(runtime.NumCPU())
	}
	if s.Scheduling == "" {
		s.Scheduling = Realtime
		if s.Profile == Closed { // nothing to wake in time for, and it may use all of its cores
			s.Scheduling = Ordinary
		}
	}
	return s
}

// oneProcRate is what one processor sends by RawHTTP (hits/s) and is still idle for half of the time.
const oneProcRate = 20_000

// defaultProcs for a number of cores. RawHTTP waits for hits and answers in one
// place, where a second processor only takes time from the server; net/http needs one
// that hears the pacer's timer while another dials.
func (s Spec) defaultProcs(cores int) int {
	procs := min(cores, max(2, min(4, cores/2)))
	if s.Transport == RawHTTP {
		procs = max(1, min(4, cores/4))
		if s.Profile != Closed && s.Rate <= oneProcRate {
			procs = 1
		}
	}
	if n := len(s.CPUs); n > 0 {
		procs = min(procs, n)
	}
	return procs
}

// cores that the load process can use at once.
func (s Spec) cores() int {
	if n := len(s.CPUs); n > 0 {
		return min(s.Procs, n)
	}
	return s.Procs
}

// Validate reports everything that is wrong with the spec at once.
// It expects defaults to be filled in.
func (s Spec) Validate(ctx context.Context) error {
	var problems []error
	refuse := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	within := func(name string, got, least, most any, ok bool) {
		if !ok {
			refuse("load: %s is %v, must lie between %v and %v", name, got, least, most)
		}
	}
	rateOK := s.Rate >= 0.001 && s.Rate <= MaxRate
	switch s.Profile {
	case Closed:
		if s.Rate != 0 {
			refuse("load: a closed load has no rate, but %v hits/s are asked for", s.Rate)
		}
		rateOK = false
	case Even, Poisson:
		within("rate (hits/s)", s.Rate, 0.001, MaxRate, rateOK)
	default:
		refuse("load: profile is %q, must be %q, %q or %q", s.Profile, Even, Poisson, Closed)
	}
	if rateOK && math.Abs(s.Rate*1000-math.Round(s.Rate*1000)) > 1e-6 {
		refuse("load: rate %v hits/s is finer than a thousandth of a hit per second; round it", s.Rate)
	}
	within("duration", s.Duration, time.Millisecond, MaxDuration,
		s.Duration >= time.Millisecond && s.Duration <= MaxDuration)
	if hits := s.Rate * s.Duration.Seconds(); hits > MaxHits {
		refuse("load: %.0f hits (rate × duration) are more than the cap of %d; lower the rate or the duration", hits,
			MaxHits)
	} else if rateOK && hits < 1 {
		refuse("load: %v hits/s for %v is not even one hit; raise the rate or the duration", s.Rate, s.Duration)
	}
	within("head (whole seconds)", s.Head, time.Duration(0), MaxDuration,
		s.Head >= 0 && s.Head <= MaxDuration && s.Head%time.Second == 0)
	within("timeout", s.Timeout, time.Millisecond, MaxTimeout, s.Timeout >= time.Millisecond && s.Timeout <= MaxTimeout)
	within("delay", s.Delay, time.Duration(0), MaxTimeout, s.Delay >= 0 && s.Delay <= MaxTimeout)
	within("drain", s.Drain, time.Nanosecond, s.Timeout, s.Drain > 0 && s.Drain <= s.Timeout)
	within("maxWorkers", s.MaxWorkers, 1, MaxWorkers, s.MaxWorkers >= 1 && s.MaxWorkers <= MaxWorkers)
	within("connections", s.Connections, 1, MaxConnections, s.Connections >= 1 && s.Connections <= MaxConnections)
	if wait := time.Until(s.StartAt.Add(-s.Head)); wait > maxStartWait {
		refuse("load: the first hit is %v away, must be within %v", wait.Round(time.Second), maxStartWait)
	}
	within("procs", s.Procs, 1, runtime.NumCPU(), s.Procs >= 1 && s.Procs <= runtime.NumCPU())
	if s.Transport != RawHTTP && s.Transport != Standard {
		refuse("load: transport is %q, must be %q or %q", s.Transport, RawHTTP, Standard)
	}
	if s.HTTP != HTTP1 && s.HTTP != HTTP2 {
		refuse("load: http is %q, must be %q or %q", s.HTTP, HTTP1, HTTP2)
	}
	if s.Transport == RawHTTP && (s.HTTP != HTTP1 || !strings.HasPrefix(s.Target.URL, "http://")) {
		refuse("load: the lean transport speaks plain HTTP/1.1 only; leave transport out for %s over HTTP/%s",
			s.Target.URL, s.HTTP)
	}
	if s.Pacer != "" && s.Pacer != CoarsePacer {
		refuse("load: pacer is %q, must be %q or left out", s.Pacer, CoarsePacer)
	}
	if s.Scheduling != Realtime && s.Scheduling != Ordinary {
		refuse("load: scheduling is %q, must be %q or %q", s.Scheduling, Realtime, Ordinary)
	}
	problems = append(problems, s.validateRequests()...)
	if limit, ok := descriptorLimit(); ok && min(s.Connections, s.MaxWorkers)+descriptorReserve > limit {
		refuse("load: %d connections need more than the %d file descriptors this process may open; raise `ulimit -n` or lower connections",
			min(s.Connections, s.MaxWorkers), limit)
	}
	if err := checkTarget(ctx, s.Target.URL); err != nil {
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// validateRequests reports what is wrong with what is sent, and with what is asked of answers.
func (s Spec) validateRequests() (problems []error) {
	refuse := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if len(s.Target.Body) > MaxBody {
		refuse("load: request body of %d bytes is over the cap of %d", len(s.Target.Body), MaxBody)
	}
	rows := s.Target.Rows
	if mix := s.Target.Mix; mix != nil {
		if s.Success != nil || s.Target.Body != nil || len(s.Target.Header)+len(rows) > 0 || s.Target.Follow {
			refuse("load: in a mix each operation has its own headers, body, rows, redirects and success")
		}
		problems = append(problems, mix.problems()...)
		for _, o := range mix.Operations {
			rows = append(rows, o.Rows...)
		}
	}
	if len(rows) > MaxRows {
		refuse("load: %d rows are more than the cap of %d", len(rows), MaxRows)
	}
	var all int
	for i, r := range rows {
		all += len(r.Path) + len(r.Body)
		for name, value := range r.Header {
			all += len(name) + len(value)
		}
		if len(r.Body) > MaxBody {
			refuse("load: body of %d bytes of row %d is over the cap of %d", len(r.Body), i, MaxBody)
		}
	}
	if all > MaxRowBytes {
		refuse("load: rows of %d bytes are over the cap of %d in all; send fewer or smaller ones", all, MaxRowBytes)
	}
	if s.Success != nil {
		if _, err := s.Success.Check(); err != nil {
			refuse("load: success: %w", err)
		}
	}
	return problems
}

// reported is the spec as a step tells of it: rows are many, and who asked has them.
func (s Spec) reported() Spec {
	s.Target.Rows = nil
	if s.Target.Mix != nil {
		s.Target.Mix = s.Target.Mix.withoutRows()
	}
	return s
}

// checkTarget refuses every target that is not http(s) at a loopback or private
// address. Names are resolved here and checked again at each dial.
func checkTarget(ctx context.Context, raw string) error {
	u, err := url.Parse(raw)
	if err != nil {
		return fmt.Errorf("load: target %q: %w", raw, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return fmt.Errorf("load: target %q must be http://host:port/path or https://…, without user or password", raw)
	}
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", strings.Trim(u.Hostname(), "[]"))
	if err != nil {
		return fmt.Errorf("load: target %q: %w", raw, err)
	}
	for _, a := range addrs {
		if !localAddr(a) {
			return fmt.Errorf("load: target %q resolves to %v, which is neither loopback nor private; load is only sent to one's own machines", raw, a)
		}
	}
	return nil
}

// localAddr leaves link-local out on purpose: cloud metadata services live there.
func localAddr(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate()
}
