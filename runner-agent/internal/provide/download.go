package provide

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"time"

	"loomboard.dev/agent/internal/api"
)

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
	said := &saying{say: say, at: Progress{Phase: api.JDKDownloading, Doing: "downloading " + o.String(), Of: o.Bytes}}
	say(said.at)
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
