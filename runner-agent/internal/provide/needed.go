package provide

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"loomboard.dev/agent/internal/durable"
)

const (
	neededName = ".needed" // what the service said last, for fetches of other programs, too, and while it is away
	mostNeeded = 500
)

// Need has the cache keep the builds that the service still has to measure here, by their names, until it is told others.
func (p *Provider) Need(builds []string) error {
	text, err := json.Marshal(builds[:min(len(builds), mostNeeded)])
	if err == nil {
		err = os.MkdirAll(p.cache.folder, 0o755)
	}
	if err == nil {
		err = durable.Write(filepath.Join(p.cache.folder, neededName), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keeping which builds the service needs: %w", err)
	}
	return nil
}

// needed are those of the last answer; none: there was no answer yet.
func (c cache) needed() (builds []string, err error) {
	text, err := os.ReadFile(filepath.Join(c.folder, neededName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &builds)
	}
	if err != nil {
		return nil, failed(err, "it cannot be read which builds the service needs, so none is removed")
	}
	return builds, nil
}
