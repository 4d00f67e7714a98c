package provide

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"loomboard.dev/agent/internal/pack"
)

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
