package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/provide"
)

// broughtJDKs is where a provider puts builds, unless the owner names another folder. It lies beside the home: servers may run as
// another user, who cannot enter that.
func broughtJDKs(home string) string { return home + "-jdks" }

// providerSettings are the owner's; nil: there are none. The machine need not be registered.
func providerSettings(path string) (*provide.Settings, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var c config
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c.JDKProvider, nil
}

// jdkOptions is where JDKs are looked for: in the usual folders, and in what a provider has brought. Empty: the usual configuration.
func jdkOptions(configPath string) jdk.Options {
	dir, path, err := home(configPath)
	if err != nil {
		return jdk.Options{}
	}
	folder := broughtJDKs(dir)
	if s, err := providerSettings(path); err == nil && s != nil && s.Cache != "" {
		folder = s.Cache
	}
	return jdk.Options{Also: []string{folder}}
}

// jdkCommand is one call of jdk.
type jdkCommand struct {
	settings provide.Settings
	enabled  bool // there is a provider
	path     string
	usual    string // cache
	out      io.Writer
}

func manageJDKs(ctx context.Context, args []string) error {
	c := jdkCommand{out: os.Stdout}
	var catalogue, cache string
	var distributions []string
	words, help, err := flagsOf("jdk", "jdk list, or jdk fetch SELECTOR [--distribution temurin]", args, func(f *flag.FlagSet) {
		f.Func("distribution", "of which builds are taken, as the catalogue calls it; may be repeated (default those of jdkProvider in agent.json)",
			func(name string) error {
				distributions = append(distributions, name)
				return nil
			})
		f.StringVar(&catalogue, "catalogue", "", "address of a server of the Disco API (default that of jdkProvider in agent.json, else "+provide.PublicCatalogue+")")
		f.StringVar(&cache, "cache", "", "folder that builds are put into (default that of jdkProvider in agent.json, else beside the agent's home)")
	})
	if help || err != nil {
		return err
	}
	dir, path, err := home("")
	if err != nil {
		return err
	}
	owners, err := providerSettings(path)
	if err != nil {
		return err
	}
	c.path, c.usual = path, broughtJDKs(dir)
	if owners != nil {
		c.settings = *owners
	}
	if len(distributions) > 0 {
		c.settings.Distributions = distributions
	}
	c.settings.Catalogue = cmp.Or(catalogue, c.settings.Catalogue)
	c.settings.Cache = cmp.Or(cache, c.settings.Cache)
	c.enabled = owners != nil || len(distributions) > 0
	switch {
	case len(words) == 1 && words[0] == "list":
		return c.list(ctx)
	case len(words) == 2 && words[0] == "fetch":
		return c.fetch(ctx, words[1])
	}
	return wrongUse("jdk", errors.New("list, or fetch and one selector, is needed"))
}

func (c jdkCommand) provider() (*provide.Provider, error) {
	if !c.enabled {
		return nil, fmt.Errorf(`no provider of JDKs is configured: name one by --distribution temurin, or put "jdkProvider": {"distributions": ["temurin"]} into %s`, c.path)
	}
	p, err := provide.New(c.settings, c.usual, logger(os.Stderr, slog.LevelWarn))
	if err != nil {
		return nil, fmt.Errorf("jdkProvider: %w", err)
	}
	return p, nil
}

func (c jdkCommand) fetch(ctx context.Context, selector string) error {
	p, err := c.provider()
	if err != nil {
		return err
	}
	progress := fetchProgress{out: c.out, live: colours()}
	brought, err := p.Fetch(ctx, selector, progress.say)
	progress.end()
	for _, b := range brought {
		c.sayBrought(b)
	}
	return err
}

func (c jdkCommand) sayBrought(e provide.Brought) {
	if !e.New {
		fmt.Fprintf(c.out, "%s is here already: %s\n", e.Slug, e.Home)
		return
	}
	fmt.Fprintf(c.out, "%s, from %s: %s\n", e.Slug, e.Source, e.Home)
	if e.Checksum != "" {
		fmt.Fprintln(c.out, "Its archive has the checksum that the catalogue gives,", e.Checksum)
	}
	switch {
	case e.SignedBy != "":
		fmt.Fprintln(c.out, "It is signed by the key", e.SignedBy)
	case e.Signed:
		fmt.Fprintln(c.out, `There is a signature, too. It was not checked: the agent knows no key of its maker ("keys" of jdkProvider names a file).`)
	case c.settings.Keys != "" && e.Checksum != "":
		fmt.Fprintln(c.out, "The catalogue has no signature of it.")
	}
}

// list shows what is here, from where, and what the catalogue offers. A catalogue that does not answer is no failure: what is here stays.
func (c jdkCommand) list(ctx context.Context) error {
	options := jdkOptions("")
	brought := map[string]provide.Entry{}
	var p *provide.Provider
	if c.enabled {
		var err error
		if p, err = c.provider(); err != nil {
			return err
		}
		options.Also = []string{p.Folder()}
		entries, err := p.Entries()
		if err != nil {
			return err
		}
		for _, e := range entries {
			brought[e.Identity] = e
		}
	}
	found, err := jdk.Discover(ctx, options)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.out, 0, 4, 2, ' ', 0)
	for _, b := range found.Builds {
		from := filepath.Dir(b.Home)
		if e, ok := brought[b.Identity]; ok {
			from = fmt.Sprintf("%s, fetched %s, used %s", e.Source, e.Fetched.Format("2006-01-02"), e.Used.Format("2006-01-02"))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", b.Slug, b.Stage, from)
	}
	if err := w.Flush(); err != nil || p == nil {
		return err
	}
	return c.offered(ctx, p)
}

func (c jdkCommand) offered(ctx context.Context, p *provide.Provider) error {
	offers, err := p.Offers(ctx)
	if err != nil {
		fmt.Fprintf(c.out, "\nWhat is offered is not known: %v\n", err)
		return nil
	}
	fmt.Fprintln(c.out, "\nOffered, the newest of each release (loomboard-agent jdk fetch 28-ea):")
	w := tabwriter.NewWriter(c.out, 0, 4, 2, ' ', 0)
	for _, o := range offers {
		megabytes := ""
		if o.Bytes > 0 {
			megabytes = fmt.Sprintf("%d MiB", o.Bytes>>20)
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", o.Distribution, o.Version, o.Stage, megabytes)
	}
	return w.Flush()
}

// fetchProgress is a line for each thing that is done; on a terminal the line of a download grows.
type fetchProgress struct {
	out   io.Writer
	live  bool
	doing string
	open  bool // the line has no end yet
}

func (f *fetchProgress) say(at provide.Progress) {
	if at.Doing != f.doing && !strings.HasPrefix(at.Doing, "downloading") {
		f.end()
		fmt.Fprintln(f.out, at.Doing)
	} else if at.Doing != f.doing && !f.live {
		fmt.Fprintln(f.out, at.Doing)
	}
	f.doing = at.Doing
	if f.live && at.Bytes > 0 {
		of := ""
		if at.Of > 0 {
			of = fmt.Sprintf(" of %d", at.Of>>20)
		}
		fmt.Fprintf(f.out, "\r%s: %d%s MiB", at.Doing, at.Bytes>>20, of)
		f.open = true
	}
}

func (f *fetchProgress) end() {
	if f.open {
		fmt.Fprintln(f.out)
		f.open = false
	}
}
