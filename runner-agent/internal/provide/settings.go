// Package provide brings JDK builds to this machine: from a catalogue that speaks the Disco API, or by a command of the owner's. The
// owner says from where, which and how many; a service only ever names a selector. What a catalogue says is not trusted.
package provide

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// PublicCatalogue is asked where the owner names distributions and no catalogue.
const PublicCatalogue = "https://api.foojay.io/disco/v3.0"

// Settings are the owner's: "jdkProvider" in agent.json.
type Settings struct {
	Catalogue     string   `json:"catalogue,omitempty"`     // address of the Disco API with its version; empty: the public one
	Distributions []string `json:"distributions,omitempty"` // as the catalogue calls them, such as temurin; empty: it is not asked
	Keys          string   `json:"keys,omitempty"`          // file of public keys by which signatures are checked; empty: they are not
	Features      []int    `json:"features,omitempty"`      // releases that may be brought; empty: all that can be measured
	// Command is a program with its arguments, which is given two more: the selector, and an empty folder to put the build into.
	Command  []string `json:"command,omitempty"`
	Refresh  []string `json:"refresh,omitempty"`  // selectors of the builds that the agent brings by itself
	Every    string   `json:"every,omitempty"`    // how often it looks, such as 30m; empty: 1h
	Hold     []string `json:"hold,omitempty"`     // builds that are never removed: slugs or identities
	Cache    string   `json:"cache,omitempty"`    // folder; empty: beside the agent's home
	CacheGiB float64  `json:"cacheGiB,omitempty"` // 0: 20
}

const (
	defaultEvery    = time.Hour
	shortestEvery   = time.Minute
	defaultCacheGiB = 20
	mostSelectors   = 20
)

// limits bound what is taken from elsewhere.
type limits struct {
	answer      time.Duration // to a question
	stall       time.Duration // without a byte of an archive
	download    time.Duration // of an archive
	command     time.Duration
	answerBytes int64
	archive     int64 // bytes
	unpacked    int64 // bytes
	entries     int   // of an archive; a JDK has some 500
}

func usualLimits() limits {
	return limits{answer: 30 * time.Second, stall: time.Minute, download: time.Hour, command: time.Hour,
		answerBytes: 8 << 20, archive: 1 << 30, unpacked: 4 << 30, entries: 20_000}
}

// Provider brings builds into its cache. It may be used by many goroutines; one fetch into a cache is under way at a time, also of
// several programs.
type Provider struct {
	catalogue *catalogue // nil: none is asked
	command   []string
	keys      string // file; empty: none
	features  []int
	refresh   []wish
	every     time.Duration
	cache     cache
	limits    limits
	log       *slog.Logger

	mu      sync.Mutex
	next    time.Time            // when the agent looks again
	state   state                // of the last look
	now     Progress             // of the fetch under way; no phase: none is
	refused map[string]time.Time // offers that turned out bad, until when they are not fetched again
}

var distributionForm = regexp.MustCompile(`^[a-z0-9_]{1,40}$`)

// New checks what the owner says. The cache is where builds are put if no other is named.
func New(s Settings, usualCache string, log *slog.Logger) (*Provider, error) {
	p := &Provider{command: s.Command, keys: s.Keys, features: s.Features, every: defaultEvery, limits: usualLimits(), log: log, refused: map[string]time.Time{}}
	var problems []error
	refuse := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if len(s.Distributions) == 0 && len(s.Command) == 0 {
		refuse(`name the distributions that may be brought, such as "distributions": ["temurin"], or a command`)
	}
	for _, d := range s.Distributions {
		if !distributionForm.MatchString(d) {
			refuse("distribution %q: it must be as the catalogue calls it, such as temurin or oracle_open_jdk", d)
		}
	}
	for _, f := range s.Features {
		if f < jdk.OldestFeature {
			refuse("feature %d is older than %d, the first that is measured", f, jdk.OldestFeature)
		}
	}
	if len(s.Command) > 0 && !filepath.IsAbs(s.Command[0]) {
		refuse("command %q: the whole path of the program is needed", s.Command[0])
	}
	if len(s.Distributions) > 0 {
		base, err := parseBase(cmp.Or(s.Catalogue, PublicCatalogue))
		if err != nil {
			refuse("catalogue: %w", err)
		} else {
			p.catalogue = newCatalogue(base, s.Distributions, &p.limits)
		}
	}
	if s.Keys != "" {
		if _, err := readKeys(s.Keys); err != nil {
			refuse("keys: %w", err)
		}
	}
	if len(s.Refresh) > mostSelectors {
		refuse("%d selectors are too many, %d may be refreshed", len(s.Refresh), mostSelectors)
	}
	for _, word := range s.Refresh {
		one, err := parseWish(word)
		if err != nil {
			refuse("refresh: %w", err)
		}
		p.refresh = append(p.refresh, one)
	}
	if s.Every != "" {
		every, err := time.ParseDuration(s.Every)
		if err != nil || every < shortestEvery {
			refuse("every %q: it must be a time of %v or more, such as 1h", s.Every, shortestEvery)
		}
		p.every = every
	}
	folder, err := filepath.Abs(cmp.Or(s.Cache, usualCache))
	if err != nil {
		refuse("cache: %w", err)
	}
	if s.CacheGiB < 0 {
		refuse("cacheGiB %v: it must be more than 0", s.CacheGiB)
	}
	p.cache = cache{folder: folder, most: int64(cmp.Or(s.CacheGiB, defaultCacheGiB) * (1 << 30)), hold: s.Hold}
	return p, errors.Join(problems...)
}

// Folder is the cache, in which builds lie as those of other folders do. It may not be there yet.
func (p *Provider) Folder() string { return p.cache.folder }

// Clean removes what a fetch that was killed left in the cache.
func (p *Provider) Clean() error {
	unlock, err := p.cache.lock()
	if errors.Is(err, errBusy) {
		return nil // it will
	}
	if err != nil {
		return err
	}
	return unlock()
}

// allowed is whether the owner lets builds of this release be brought.
func (p *Provider) allowed(feature int) bool {
	return feature >= jdk.OldestFeature && (len(p.features) == 0 || slices.Contains(p.features, feature))
}

// Failure is why no build was brought. Its reason may be shown to anybody: it names no address and no folder of this machine.
type Failure struct {
	Reason string
	Err    error // what was met; nil: the reason says it all
}

func (f *Failure) Error() string {
	if f.Err == nil {
		return f.Reason
	}
	return f.Reason + ": " + f.Err.Error()
}

func (f *Failure) Unwrap() error { return f.Err }

func failed(err error, format string, args ...any) error {
	return &Failure{fmt.Sprintf(format, args...), err}
}

// Offer is a build that a catalogue has.
type Offer struct {
	Distribution string
	Version      string // as the catalogue says
	Stage        api.Stage
	Bytes        int64 // of its archive; 0: it does not say

	id      string
	version jdk.Version
}

func (o Offer) String() string { return o.Distribution + " " + o.Version }
