package local

import (
	"context"
	"errors"
	"os"
	"regexp"
	"time"

	"loomboard.dev/agent/internal/api"
)

// Shipped is what the service said of the results that ship: once it has imported what there was to import.
type Shipped struct {
	Done     string   // such as "4 of 4 runs are at http://localhost:8080/w/shipped-results"
	Problems []string // a sentence for each that is not there
}

// The service's lines (backend: runimport/ShippedResultsConfig.java).
var (
	shippedLine = regexp.MustCompile(`(?m)ShippedResultsConfig .*?Shipped results: (.*)$`)
	shippedDone = regexp.MustCompile(`^done, (.*)$`)
)

// Shipped waits until the service has imported the results that ship.
func (s *System) Shipped(ctx context.Context) (Shipped, error) {
	poll := time.NewTicker(200 * time.Millisecond)
	defer poll.Stop()
	for {
		content, err := os.ReadFile(s.Service.Log)
		if err != nil {
			return Shipped{}, err
		}
		if said := shippedIn(string(content)); said.Done != "" {
			return said, nil
		}
		select {
		case <-ctx.Done():
			return Shipped{}, ctx.Err()
		case <-s.Service.Done:
			return Shipped{}, s.Service.exitError()
		case <-poll.C:
		}
	}
}

func shippedIn(log string) (said Shipped) {
	for _, line := range shippedLine.FindAllStringSubmatch(log, -1) {
		if done := shippedDone.FindStringSubmatch(line[1]); done != nil {
			said.Done = done[1]
		} else {
			said.Problems = append(said.Problems, line[1])
		}
	}
	return said
}

// Bundle writes the compact bundle of a run to a file, which is there whole or not at all.
func (s *System) Bundle(ctx context.Context, run, path string) (err error) {
	client, err := api.NewClient(s.Client.Base, s.token)
	if err != nil {
		return err
	}
	client.Patiently()
	part, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	if err := errors.Join(client.Bundle(ctx, run, true, part), part.Close()); err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return os.Rename(part.Name(), path)
}
