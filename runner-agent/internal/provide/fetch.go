package provide

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

// Progress is how far a fetch is.
type Progress struct {
	Selector string
	Phase    string // one of the wire's
	Doing    string // for people
	Bytes    int64  // downloaded
	Of       int64  // 0: not known
}

// Now is what a fetch that is under way does; false: none is.
func (p *Provider) Now() (at Progress, busy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now, p.now.Phase != ""
}

// noted has Now know what is said of a wish.
func (p *Provider) noted(w wish, say func(Progress)) func(Progress) {
	return func(at Progress) {
		at.Selector = w.String()
		p.mu.Lock()
		p.now = at
		p.mu.Unlock()
		say(at)
	}
}

func (p *Provider) idle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = Progress{}
}

// ErrNothing says that neither catalogue nor command has what was asked for.
var ErrNothing = errors.New("nothing of that is offered")

// Entries are the builds that were brought, the least recently used first.
func (p *Provider) Entries() ([]Entry, error) { return p.cache.entries() }

// Hold keeps builds in the cache, by their slugs, until release.
func (p *Provider) Hold(slugs []string) (release func()) { return p.cache.holdBuilds(slugs) }

// Brought is a build that a selector means.
type Brought struct {
	Entry
	New bool // it was not here before
}

// Fetch brings the builds that a selector means, those that are not here: one, or of >=21 one of each release. Of what fails nothing is
// left, and the others come. Errors are Failures mostly; the last word is ErrNothing where nothing is offered.
func (p *Provider) Fetch(ctx context.Context, word string, say func(Progress)) ([]Brought, error) {
	w, err := parseWish(word)
	if err != nil {
		return nil, err
	}
	return p.fetch(ctx, w, say, func(Offer) error { return nil })
}

// fetch asks may before an archive is downloaded.
func (p *Provider) fetch(ctx context.Context, w wish, say func(Progress), may func(Offer) error) (all []Brought, err error) {
	if w.scope.Feature >= 0 && !p.allowed(w.scope.Feature) {
		return nil, failed(nil, "builds of %d may not be brought (features in agent.json)", w.scope.Feature)
	}
	unlock, err := p.cache.lock()
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(p.cache.folder, workPrefix)
	if err != nil {
		return nil, errors.Join(failed(err, "the cache cannot be written to"), unlock())
	}
	defer func() { err = errors.Join(full(err), os.RemoveAll(work), unlock()) }()
	say = p.noted(w, say)
	defer p.idle()
	err = failed(ErrNothing, "%s", w)
	if p.catalogue != nil {
		all, err = p.fromCatalogue(ctx, w, work, say, may)
	}
	if err != nil && len(all) == 0 && len(p.command) > 0 && ctx.Err() == nil {
		b, said := p.byCommand(ctx, w, filepath.Join(work, "command"), say)
		if said == nil {
			return []Brought{b}, nil
		}
		if errors.Is(err, ErrNothing) {
			return nil, said
		}
		err = errors.Join(err, said)
	}
	return all, err
}

// full says in words that there is no room.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return failed(err, "the disk of the cache is full")
	}
	return err
}

func (p *Provider) fromCatalogue(ctx context.Context, w wish, work string, say func(Progress), may func(Offer) error) ([]Brought, error) {
	say(Progress{Phase: api.JDKAsking, Doing: "asking the catalogue for " + w.String()})
	offers, err := p.choose(ctx, w)
	if err != nil {
		return nil, err
	}
	var all []Brought
	var problems []error
	for i, o := range offers {
		b, err := p.offered(ctx, w, o, filepath.Join(work, strconv.Itoa(i)), say, may)
		if err != nil {
			problems = append(problems, err)
			p.refuse(err)
			continue
		}
		all = append(all, b)
	}
	return all, errors.Join(problems...)
}

// offered brings what a catalogue offers, in a folder that is made for it.
func (p *Provider) offered(ctx context.Context, w wish, o Offer, work string, say func(Progress), may func(Offer) error) (b Brought, err error) {
	a, err := p.catalogue.archive(ctx, o)
	if err != nil {
		return b, err
	}
	sum := a.sum.kind + ":" + a.sum.digest
	if e, here, err := p.cache.find(func(e Entry) bool { return e.Checksum == sum }); err != nil {
		return b, err
	} else if here {
		e, err = p.cache.used(e) // it is wanted
		return Brought{Entry: e}, err
	}
	if err := may(o); err != nil {
		return b, err
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		return b, err
	}
	packed := filepath.Join(work, "archive")
	if err := p.download(ctx, o, a, packed, say); err != nil {
		return b, err
	}
	say(Progress{Phase: api.JDKVerifying, Doing: "verifying " + o.String()})
	signedBy, err := p.checkSignature(ctx, o, a, packed)
	if err != nil {
		return b, err
	}
	say(Progress{Phase: api.JDKUnpacking, Doing: "unpacking " + o.String()})
	home := filepath.Join(work, "home", "jdk")
	if err := p.unpack(ctx, packed, home); err != nil {
		return b, bad(ctx, o, err)
	}
	if err := os.Remove(packed); err != nil {
		return b, err
	}
	b, err = p.take(ctx, func(b jdk.Build) error { return w.isOffer(b, o) }, home,
		Entry{Source: o.String(), Checksum: sum, Signed: a.signature != "", SignedBy: signedBy})
	return b, bad(ctx, o, err)
}

// badOffer is one that is not worth fetching again soon.
type badOffer struct {
	offer Offer
	error
}

func (b badOffer) Unwrap() error { return b.error }

func bad(ctx context.Context, o Offer, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, syscall.ENOSPC) {
		return err // it is not the offer's fault
	}
	return badOffer{o, err}
}

// take asks a build what it is, and moves it into the cache if it is what was wanted and not there yet.
func (p *Provider) take(ctx context.Context, is func(jdk.Build) error, home string, e Entry) (Brought, error) {
	b, err := identify(ctx, home)
	if err != nil {
		return Brought{}, err
	}
	if err := is(b); err != nil {
		return Brought{}, err
	}
	if !p.allowed(b.Feature) {
		return Brought{}, failed(nil, "it is %s, and builds of %d may not be brought", b.RuntimeVersion, b.Feature)
	}
	if same, here, err := p.cache.find(func(e Entry) bool { return e.Identity == b.Identity }); here || err != nil {
		if here {
			same.Source, same.Checksum = e.Source, cmp.Or(e.Checksum, same.Checksum) // so that it is known the next time
			same, err = p.cache.used(same)
		}
		return Brought{Entry: same}, err
	}
	if e.Bytes, err = sizeOf(home); err != nil {
		return Brought{}, err
	}
	e, err = p.cache.place(home, b, e)
	return Brought{e, err == nil}, err
}

// identify has the build say what it is, as those of other folders are asked. What was learned of this place is not remembered.
func identify(ctx context.Context, home string) (jdk.Build, error) {
	found, err := jdk.Discover(ctx, jdk.Options{Dirs: []string{}, CacheDir: filepath.Dir(home), Env: func(name string) string {
		if name == "JAVA_HOME" {
			return home
		}
		return ""
	}})
	switch {
	case err != nil:
		return jdk.Build{}, err
	case len(found.Builds) == 1:
		return found.Builds[0], nil
	case len(found.Excluded) > 0:
		return jdk.Build{}, failed(nil, "it cannot be measured: %s", printable(found.Excluded[0].Reason))
	}
	return jdk.Build{}, failed(nil, "it is no JDK")
}
