package sample

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// errNotPlain says that what should be a file of the server is something else.
var errNotPlain = errors.New("is no file of its own: the server may have laid a link there")

// OpenPlain opens a file that a server has written. The agent may read what the server may not, such as its own key: a
// link must not lead it there, and a pipe must not hold it.
func OpenPlain(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s %w", path, errNotPlain)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.Mode().IsRegular() || !ok || stat.Nlink > 1 {
		return nil, errors.Join(fmt.Errorf("%s %w", path, errNotPlain), f.Close())
	}
	return f, nil
}
