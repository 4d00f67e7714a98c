package provide

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/pack"
)

// Progress is how far a fetch is.
type Progress struct {
	Doing string // for people
	Bytes int64  // downloaded
	Of    int64  // 0: not known
}

// ErrNothing says that neither catalogue nor command has what was asked for.
var ErrNothing = errors.New("nothing of that is offered")

// Offers are the newest builds of each release that may be brought, previews first.
func (p *Provider) Offers(ctx context.Context) ([]Offer, error) {
	if p.catalogue == nil {
		return nil, nil
	}
	var all []Offer
	for _, stage := range []api.Stage{api.EarlyAccess, api.General} {
		some, err := p.offers(ctx, stage, selector{})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// offers leaves out what the owner does not allow.
func (p *Provider) offers(ctx context.Context, stage api.Stage, s selector) ([]Offer, error) {
	all, err := p.catalogue.offers(ctx, stage, s)
	var some []Offer
	for _, o := range all {
		if p.allowed(o.version.Feature()) {
			some = append(some, o)
		}
	}
	return some, err
}

// Entries are the builds that were brought, the least recently used first.
func (p *Provider) Entries() ([]Entry, error) { return p.cache.entries() }

// Hold keeps builds in the cache, by their slugs, until release.
func (p *Provider) Hold(slugs []string) (release func()) { return p.cache.holdBuilds(slugs) }

// Fetch brings the build that a selector names, unless it is here: then isNew is false. When it fails nothing is left of it. Errors are
// Failures mostly; the last word is ErrNothing where nothing is offered.
func (p *Provider) Fetch(ctx context.Context, word string, say func(Progress)) (e Entry, isNew bool, err error) {
	s, err := parseSelector(word)
	if err != nil {
		return Entry{}, false, err
	}
	return p.fetch(ctx, s, say, func(Offer) error { return nil })
}

// fetch asks may before an archive is downloaded.
func (p *Provider) fetch(ctx context.Context, s selector, say func(Progress), may func(Offer) error) (e Entry, isNew bool, err error) {
	if s.feature > 0 && !p.allowed(s.feature) {
		return Entry{}, false, failed(nil, "builds of %d may not be brought (features in agent.json)", s.feature)
	}
	unlock, err := p.cache.lock()
	if err != nil {
		return Entry{}, false, err
	}
	work, err := os.MkdirTemp(p.cache.folder, workPrefix)
	if err != nil {
		return Entry{}, false, errors.Join(failed(err, "the cache cannot be written to"), unlock())
	}
	defer func() { err = errors.Join(full(err), os.RemoveAll(work), unlock()) }()
	err = failed(ErrNothing, "%s", s.word)
	if p.catalogue != nil {
		e, isNew, err = p.fromCatalogue(ctx, s, work, say, may)
	}
	if err != nil && len(p.command) > 0 && ctx.Err() == nil {
		var said error
		if e, isNew, said = p.byCommand(ctx, s, filepath.Join(work, "command"), say); said == nil || errors.Is(err, ErrNothing) {
			return e, isNew, said
		}
		err = errors.Join(err, said)
	}
	return e, isNew, err
}

// full says in words that there is no room.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return failed(err, "the disk of the cache is full")
	}
	return err
}

func (p *Provider) fromCatalogue(ctx context.Context, s selector, work string, say func(Progress), may func(Offer) error) (e Entry, isNew bool, err error) {
	say(Progress{Doing: "asking the catalogue for " + s.word})
	o, err := p.choose(ctx, s)
	if err != nil {
		return e, false, err
	}
	a, err := p.catalogue.archive(ctx, o)
	if err != nil {
		return e, false, err
	}
	sum := a.sum.kind + ":" + a.sum.digest
	if e, here, err := p.cache.find(func(e Entry) bool { return e.Checksum == sum }); err != nil {
		return e, false, err
	} else if here {
		e, err = p.cache.used(e) // it is wanted
		return e, false, err
	}
	if err := may(o); err != nil {
		return e, false, err
	}
	e = Entry{Source: o.String(), Checksum: sum, Signed: a.signed}
	packed := filepath.Join(work, "archive")
	if err := p.download(ctx, o, a, packed, say); err != nil {
		return e, false, err
	}
	say(Progress{Doing: "unpacking " + o.String()})
	home := filepath.Join(work, "home", "jdk")
	if err := p.unpack(ctx, packed, home); err != nil {
		return e, false, bad(ctx, o, err)
	}
	if err := os.Remove(packed); err != nil {
		return e, false, err
	}
	e, isNew, err = p.take(ctx, s, home, e)
	return e, isNew, bad(ctx, o, err)
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

// choose takes the first stage in which something is offered. Of the latest of any stage the previews are newer.
func (p *Provider) choose(ctx context.Context, s selector) (Offer, error) {
	for _, stage := range s.stages {
		offers, err := p.offers(ctx, stage, s)
		if err != nil {
			return Offer{}, err
		}
		if o, ok := s.newest(offers); ok {
			return o, nil
		}
	}
	return Offer{}, failed(ErrNothing, "%s", s.word)
}

func (p *Provider) download(ctx context.Context, o Offer, a archive, path string, say func(Progress)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, p.limits.download, fmt.Errorf("not all of it in %v", p.limits.download))
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timer := time.AfterFunc(p.limits.stall, func() { stop(fmt.Errorf("no byte for %v", p.limits.stall)) })
	defer timer.Stop()
	body, err := p.catalogue.open(ctx, "the archive of "+o.String(), a.address)
	if err != nil {
		return err
	}
	defer body.Close()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	sum := a.sum.hash()
	said := &saying{say: say, at: Progress{Doing: "downloading " + o.String(), Of: o.Bytes}}
	written, err := io.Copy(io.MultiWriter(file, sum, said), io.LimitReader(&stalled{body, timer, p.limits.stall}, p.limits.archive+1))
	if err := errors.Join(full(err), file.Close()); err != nil {
		if errors.As(err, new(*Failure)) {
			return err
		}
		return unreachable(ctx, "the archive of "+o.String(), err)
	}
	if written > p.limits.archive {
		return badOffer{o, failed(nil, "the archive of %s is larger than %s", o, size(p.limits.archive))}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != a.sum.digest {
		return badOffer{o, failed(nil, "the archive of %s has the %s %.16s…, and the catalogue says %.16s…", o, a.sum.kind, got, a.sum.digest)}
	}
	return nil
}

func (c checksum) hash() hash.Hash {
	if c.kind == "sha512" {
		return sha512.New()
	}
	return sha256.New()
}

// saying tells of every whole MiB.
type saying struct {
	say func(Progress)
	at  Progress
}

func (s *saying) Write(p []byte) (int, error) {
	before := s.at.Bytes >> 20
	s.at.Bytes += int64(len(p))
	if s.at.Bytes>>20 > before {
		s.say(s.at)
	}
	return len(p), nil
}

// unpack bounds what comes by the archive's own size: classes and libraries shrink to a third, a bomb to a thousandth.
func (p *Provider) unpack(ctx context.Context, packed, home string) error {
	file, err := os.Open(packed)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	if err := os.Chmod(home, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(home)
	if err != nil {
		return err
	}
	defer root.Close()
	bounds := pack.Bounds{Files: p.limits.entries, Bytes: min(p.limits.unpacked, 16<<20+12*info.Size())}
	if err := pack.ExtractTree(whileWanted{ctx, file}, root, bounds); err != nil {
		return failed(err, "its archive is refused: %.300s", err)
	}
	return flush(home)
}

// flush has the kernel write all of a file system: one call where a JDK has hundreds of files.
func flush(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}

// whileWanted ends when its context does.
type whileWanted struct {
	ctx context.Context
	r   io.Reader
}

func (w whileWanted) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.r.Read(p)
}

// take asks a build what it is, and moves it into the cache if it is what was wanted and not there yet.
func (p *Provider) take(ctx context.Context, s selector, home string, e Entry) (Entry, bool, error) {
	b, err := identify(ctx, home)
	if err != nil {
		return e, false, err
	}
	if err := s.is(b); err != nil {
		return e, false, err
	}
	if !p.allowed(b.Feature) {
		return e, false, failed(nil, "it is %s, and builds of %d may not be brought", b.RuntimeVersion, b.Feature)
	}
	if same, here, err := p.cache.find(func(e Entry) bool { return e.Identity == b.Identity }); here || err != nil {
		if here {
			same.Source, same.Checksum = e.Source, cmp.Or(e.Checksum, same.Checksum) // so that it is known the next time
			same, err = p.cache.used(same)
		}
		return same, false, err
	}
	if e.Bytes, err = sizeOf(home); err != nil {
		return e, false, err
	}
	e, err = p.cache.place(home, b, e)
	return e, err == nil, err
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
