// Package command is what long commands share that go on where they were broken off.
package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// SameAsBefore refuses options other than those that a folder of data was made with: what lies in it would be taken for what was
// asked. The file in the folder keeps them; it is written at the first start.
func SameAsBefore(file, options string) error {
	dir := filepath.Dir(file)
	was, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(file, []byte(options), 0o600))
	}
	if err == nil && string(was) != options {
		err = fmt.Errorf("%s was made with %s, asked for is %s: name another -data", dir, was, options)
	}
	return err
}
