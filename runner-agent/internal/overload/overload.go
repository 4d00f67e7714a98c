// Package overload is a server under more than it can do, of which tests and benches know
// what the figures must be.
package overload

import (
	"embed"
	"io/fs"
	"os"
)

//go:embed servers
var files embed.FS

// Write makes a folder of servers that has it alone.
func Write(dir string) error {
	servers, err := fs.Sub(files, "servers")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, servers)
}
