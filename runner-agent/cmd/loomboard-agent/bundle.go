package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"loomboard.dev/agent/internal/api"
)

const exportSynopsis = `export [--url URL] [--compact] [-o FILE] RUN

Downloads a run from a service with all that was measured: one file, a ZIP that is readable without Loomboard (JSON, HDR
histograms, CSV). RUN is the address of its page, or its id with --url. An API token in LOOMBOARD_API_TOKEN gets its workspace's
private runs too.`

const importSynopsis = `import [--url URL] [--visibility private] FILE

Gives a service a run that was measured elsewhere, from the file that export wrote. It appears in the workspace of the API token in
LOOMBOARD_API_TOKEN (scope run:write), marked as imported. The same run twice is refused.`

var (
	runID  = regexp.MustCompile(`^run_[a-z2-7]{20}$`)
	ofPage = regexp.MustCompile(`^(https?://.+)/runs/(run_[a-z2-7]{20})(?:[./?#].*)?$`)
)

func exportRun(ctx context.Context, args []string) error {
	var base, file string
	var compact bool
	words, help, err := flagsAnd("export", exportSynopsis, 1, args, func(f *flag.FlagSet) {
		f.StringVar(&base, "url", "", "address of the service (default $LOOMBOARD_URL, else that of this machine's registration)")
		f.StringVar(&file, "o", "", "file to write (default the run's id and .loomboard.zip)")
		f.BoolVar(&compact, "compact", false, "without what no number is made of (seconds of load outside the measured steps, samples that no metric needs), "+
			"which the bundle says: a third of the size or less")
	})
	if help || err != nil {
		return err
	}
	base, id, err := runOf(words[0], base)
	if err != nil {
		return err
	}
	client, err := bundleClient(base, os.Getenv("LOOMBOARD_API_TOKEN"))
	if err != nil {
		return err
	}
	file = cmp.Or(file, id+".loomboard.zip")
	if err := written(file, func(to *os.File) error { return client.Bundle(ctx, id, compact, to) }); err != nil {
		return tokenRefused(err)
	}
	fmt.Println(file)
	return nil
}

// runOf tells the service and the id of a run that somebody named.
func runOf(word, base string) (service, id string, err error) {
	if page := ofPage.FindStringSubmatch(word); page != nil {
		return page[1], page[2], nil
	}
	if !runID.MatchString(word) {
		return "", "", wrongUse("export", fmt.Errorf("%q must be the address of a run's page, or its id, run_…; "+
			"a folder of compare or bench has no histograms, so no bundle can be made of it", word))
	}
	base, err = serviceAddress(base)
	return base, word, err
}

// written makes a file that is there whole or not at all. It replaces none.
func written(path string, write func(*os.File) error) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return usageError{fmt.Errorf("export: %s is there already: name another file by -o", path)}
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".loomboard-bundle-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part.Name()))
		}
	}()
	if err := errors.Join(write(part), part.Chmod(0o644), part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

func importRun(ctx context.Context, args []string) error {
	var base, visibility string
	words, help, err := flagsAnd("import", importSynopsis, 1, args, func(f *flag.FlagSet) {
		f.StringVar(&base, "url", "", "address of the service (default $LOOMBOARD_URL, else that of this machine's registration)")
		f.StringVar(&visibility, "visibility", "private", "who sees it: private (members of the workspace) or public")
	})
	if help || err != nil {
		return err
	}
	token := os.Getenv("LOOMBOARD_API_TOKEN")
	if token == "" {
		return usageError{errors.New("import: LOOMBOARD_API_TOKEN is needed: an API token with the scope run:write; its workspace gets the run")}
	}
	if base, err = serviceAddress(base); err != nil {
		return err
	}
	bundle, err := bundleOf(words[0])
	if err != nil {
		return err
	}
	client, err := bundleClient(base, token)
	if err != nil {
		return err
	}
	run, err := client.PutBundle(ctx, visibility, bundle)
	if err != nil {
		return tokenRefused(err)
	}
	fmt.Println(strings.TrimSuffix(base, "/") + run.URL)
	return nil
}

// bundleOf reads a file that the service may take. What is in it is the service's to judge.
func bundleOf(path string) ([]byte, error) {
	about, err := os.Stat(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("import: %w", err)}
	}
	if !about.Mode().IsRegular() || about.Size() > api.MostBundleBytes {
		return nil, usageError{fmt.Errorf("import: %s must be a file of at most %d MiB", path, api.MostBundleBytes>>20)}
	}
	return os.ReadFile(path)
}

func bundleClient(base, token string) (*api.Client, error) {
	client, err := api.NewClient(base, token)
	if err != nil {
		return nil, usageError{err}
	}
	client.Patiently()
	return client, nil
}

// tokenRefused says so of a token, which is no key of an agent.
func tokenRefused(err error) error {
	if api.KeyRefused(err) {
		return errors.New("the service does not accept the token in LOOMBOARD_API_TOKEN")
	}
	return err
}
