package provide

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"loomboard.dev/agent/internal/api"
)

// CheckName is of the finding by which a machine's page says how its provider is.
const CheckName = "jdk-provider"

const (
	mostRefresh = 2 * time.Hour
	// againAfter is how long an offer that turned out bad is left alone.
	againAfter = 6 * time.Hour
	longest    = 200 // characters of a reason
)

// state is what the last look found.
type state struct {
	at       time.Time // zero: there was none
	failures []string  // a sentence for each selector
}

// Due is whether it is time to look again.
func (p *Provider) Due() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !time.Now().Before(p.next)
}

// Refresh brings what the owner wants refreshed, and builds by their names that are missing, when it is time. It is for the pauses between
// runs: it loads the machine. True: it looked. What goes wrong is in the Finding, and builds that are here stay usable.
func (p *Provider) Refresh(ctx context.Context, missing ...string) (looked bool) {
	wishes := slices.Clone(p.refresh)
	for _, name := range missing[:min(len(missing), mostSelectors)] {
		if w, err := parseWish(name); err == nil {
			wishes = append(wishes, w)
		}
	}
	if len(wishes) == 0 || !p.Due() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, mostRefresh)
	defer cancel()
	var failures []string
	for _, w := range wishes {
		brought, err := p.fetch(ctx, w, p.say, p.notRefused)
		for _, b := range brought {
			if b.New {
				p.log.Info("brought a JDK build", "selector", w, "build", b.Slug, "source", b.Source, "size", size(b.Bytes))
			}
		}
		switch {
		case ctx.Err() != nil && err != nil:
			failures = append(failures, w.String()+": it was stopped")
		case err != nil:
			p.log.Warn("a JDK build was not brought; those that are here stay", "selector", w, "error", err)
			failures = append(failures, w.String()+": "+reason(err))
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = time.Now().Add(p.every)
	p.state = state{time.Now(), failures}
	return true
}

func (p *Provider) say(at Progress) {
	if at.Bytes == 0 || at.Bytes>>20%50 == 0 {
		p.log.Info("JDK provider: "+at.Doing, "MiB", at.Bytes>>20)
	}
}

// refuse leaves an offer alone for a while if it was bad.
func (p *Provider) refuse(err error) {
	var bad badOffer
	if errors.As(err, &bad) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.refused[bad.offer.id] = time.Now().Add(againAfter)
	}
}

func (p *Provider) notRefused(o Offer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until, ok := p.refused[o.id]; ok && time.Now().Before(until) {
		return failed(nil, "%s was refused and is not fetched again before %s (`loomboard-agent jdk fetch` tries at once)", o, minute(until))
	}
	return nil
}

// reason is what may be said of an error to everybody; of several, of each.
func reason(err error) string {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var reasons []string
		for _, one := range several.Unwrap() {
			reasons = append(reasons, reason(one))
		}
		return strings.Join(reasons, "; ")
	}
	var f *Failure
	if !errors.As(err, &f) {
		return "it failed for a reason that is in the agent's log"
	}
	text := f.Reason
	if errors.Is(f.Err, ErrNothing) {
		text = "neither catalogue nor command has it"
	} else if errors.Is(err, errBusy) {
		text = errBusy.Error()
	}
	runes := []rune(printable(text))
	return string(runes[:min(len(runes), longest)])
}

// printable steers no terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// Finding is the provider's state for the machine's page.
func (p *Provider) Finding() api.DoctorFinding {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := api.DoctorFinding{Check: CheckName, Severity: api.Info, State: api.CheckOK}
	said := []string{p.looked()}
	if newest, ok := p.newest(); ok {
		said = append(said, fmt.Sprintf("Last brought: %s from %s, %s.", newest.Slug, newest.Source, minute(newest.Fetched)))
	}
	if len(p.state.failures) > 0 {
		f.State = api.CheckProblem
		f.Why = "a build is not measured before it is here; those that are here stay usable, and it is tried again"
		f.Mend = "loomboard-agent jdk list"
		said = append(said, "Not brought: "+strings.Join(p.state.failures, "; ")+".")
	}
	runes := []rune(strings.Join(said, " "))
	f.Found = string(runes[:min(len(runes), 900)])
	return f
}

func (p *Provider) looked() string {
	if len(p.refresh) == 0 {
		return "Brings builds when its owner asks for them or a run needs them."
	}
	var words []string
	for _, w := range p.refresh {
		words = append(words, w.String())
	}
	if p.state.at.IsZero() {
		return "Has not looked for " + strings.Join(words, ", ") + " yet."
	}
	return fmt.Sprintf("Looked for %s at %s, every %s.", strings.Join(words, ", "), minute(p.state.at), hours(p.every))
}

// hours is 1h for 1h0m0s.
func hours(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func (p *Provider) newest() (Entry, bool) {
	all, err := p.cache.entries()
	if err != nil || len(all) == 0 {
		return Entry{}, false
	}
	return slices.MaxFunc(all, func(a, b Entry) int { return a.Fetched.Compare(b.Fetched) }), true
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
