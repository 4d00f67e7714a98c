package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/install"
	"loomboard.dev/agent/internal/signing"
)

// installation is one call of install-servers.
type installation struct {
	folder    install.Folder
	expected  string // digest that the owner was shown elsewhere; empty: none
	yes       bool
	client    *api.Client       // of the service that this machine is registered with
	keys      *signing.Keys     // which this machine has pinned; nil: it has not, or another service is asked
	publisher install.Publisher // whose servers alone are taken; nil: none was told
	in        io.Reader
	out       io.Writer
}

func installServers(ctx context.Context, args []string) error {
	i := installation{in: os.Stdin, out: os.Stdout}
	var base, from, servers, publisher string
	names, help, err := flagsOf("install-servers", "install-servers [--sha256 HEX] [SERVER…], or install-servers --from FILE", args,
		func(f *flag.FlagSet) {
			f.StringVar(&i.expected, "sha256", "", "SHA-256 of the list of servers (of FILE with --from), as the service's page shows it: "+
				"anything else is refused, and no question asked")
			f.BoolVar(&i.yes, "yes", false, "install without asking")
			f.StringVar(&from, "from", "", "install this `file` and ask no service")
			f.StringVar(&base, "url", "", "address of the service (default the one that this machine is registered with)")
			f.StringVar(&servers, "servers", "", "folder to install into (default $LOOMBOARD_SERVERS, that of the registration, or beside the agent's home)")
			publisherFlag(f, &publisher)
		})
	if help || err != nil {
		return err
	}
	home, path, err := home("")
	if err != nil {
		return err
	}
	c, registration := readConfig(path)
	i.folder.Path, err = filepath.Abs(cmp.Or(servers, os.Getenv("LOOMBOARD_SERVERS"), c.Servers, installedServers(home)))
	if err != nil {
		return err
	}
	i.expected = strings.ToLower(i.expected)
	if from != "" {
		if len(names) > 0 {
			return usageError{errors.New("install-servers: --from installs the server that the file has; leave the names out")}
		}
		return i.fromFile(from)
	}
	if i.publisher, err = c.takenFrom(publisher); err != nil {
		return usageError{fmt.Errorf("install-servers: %w", err)}
	}
	if base = cmp.Or(base, c.URL); base == "" {
		return registration
	}
	if registration == nil && strings.TrimRight(base, "/") == c.URL {
		if err := i.believe(c, filepath.Join(filepath.Dir(path), signing.FileName)); err != nil {
			return err
		}
	}
	return i.fromService(ctx, install.Service{Base: base}, names)
}

// believe has the list checked by the key of the service that this machine has pinned, if it has.
func (i *installation) believe(c config, pinned string) error {
	client, err := api.NewClient(c.URL, c.AgentKey)
	if err != nil {
		return err
	}
	keys, err := signing.Open(pinned, c.MachineID, client, !inTheClear(c.URL), logger(os.Stderr, slog.LevelWarn))
	if err != nil || keys.Pinned() == "" {
		return err
	}
	i.client, i.keys = client, keys
	return nil
}

func (i installation) fromService(ctx context.Context, s install.Service, names []string) error {
	list, err := i.list(ctx, s)
	if err != nil {
		return err
	}
	published, err := i.published(ctx, s, list)
	if err != nil {
		return err
	}
	if err := i.print(s.Base, list, published); err != nil {
		return err
	}
	if i.expected != "" && i.expected != list.SHA256 {
		return fmt.Errorf("the list has another SHA-256 than %s: nothing is installed. Copy the line from the service's page again; "+
			"if that does not help, ask the operator of the service", i.expected)
	}
	if len(names) == 0 {
		fmt.Fprintln(i.out, "Install with: loomboard-agent install-servers NAME…")
		return nil
	}
	chosen, err := list.Named(names)
	if err != nil {
		return usageError{fmt.Errorf("install-servers: %w", err)}
	}
	if i.keys == nil && i.publisher == nil {
		if err := i.confirm("The service says so, and nobody else. Install what runs as a server on this machine"); err != nil {
			return err
		}
	}
	work, err := os.MkdirTemp("", "loomboard-install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var packages []install.Package
	for _, o := range chosen {
		file, err := os.Create(filepath.Join(work, o.File))
		if err != nil {
			return err
		}
		defer file.Close()
		if err := s.Package(ctx, o, file); err != nil {
			return err
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		packages = append(packages, install.Package{File: file, Name: o.Name, SHA256: o.SHA256})
	}
	return i.install(packages...)
}

// list is the service's: signed for this machine where it has pinned the service's key, and then nothing else is taken.
func (i installation) list(ctx context.Context, s install.Service) (install.List, error) {
	if i.keys == nil {
		return s.List(ctx)
	}
	answer, err := i.client.ServerList(ctx)
	if api.Status(err) == http.StatusNotFound || err == nil && answer == nil {
		return install.List{}, fmt.Errorf("%s has no signed list of servers for this machine: it offers none, or is older than this agent; "+
			"a package that you have downloaded can be installed with --from FILE", s.Base)
	}
	if err != nil {
		return install.List{}, err
	}
	if err := i.keys.CheckServerList(ctx, *answer); err != nil {
		return install.List{}, fmt.Errorf("the list of servers cannot be believed, and nothing is installed: %w", err)
	}
	return install.ParseList(answer.Body)
}

// published says who published what the list has. A publisher that this machine was told of must have.
func (i installation) published(ctx context.Context, s install.Service, list install.List) (string, error) {
	release, err := s.Release(ctx)
	if err != nil {
		return "", err
	}
	switch id := release.SignedBy(); {
	case i.publisher != nil:
		return "by publisher " + i.publisher.ID(), i.publisher.Check(release, list)
	case id != "":
		return "says to be by publisher " + id + ", whose key this machine does not have (--publisher): not checked", nil
	}
	return "unsigned by a publisher", nil
}

func (i installation) fromFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	fmt.Fprintf(i.out, "%s  %s\n", digest, path)
	if i.expected == "" {
		if err := i.confirm("Compare the digest with what its maker published. Install it"); err != nil {
			return err
		}
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return i.install(install.Package{File: file, SHA256: cmp.Or(i.expected, digest)})
}

func (i installation) install(packages ...install.Package) error {
	names, err := i.folder.Install(packages...)
	if err != nil {
		return err
	}
	fmt.Fprintf(i.out, "Installed %s in %s. An agent that runs finds it within five minutes; else start with: loomboard-agent run\n",
		strings.Join(names, ", "), i.folder.Path)
	return nil
}

// confirm asks the owner, unless a digest that came another way has answered already.
func (i installation) confirm(question string) error {
	if i.yes || i.expected != "" {
		return nil
	}
	fmt.Fprintf(i.out, "%s? [y/N] ", question)
	answer, err := bufio.NewReader(i.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if word := strings.ToLower(strings.TrimSpace(answer)); word == "y" || word == "yes" {
		return nil
	}
	return errors.New("nothing was installed: answer y, give the --sha256 that the service's page shows, or say --yes")
}

func (i installation) print(base string, list install.List, published string) error {
	installed, err := i.folder.Installed()
	if err != nil {
		return err
	}
	signed := "not known to be signed by the service: this machine is not registered there, or has pinned no key"
	if i.keys != nil {
		signed = "signed by the service for this machine"
	}
	fmt.Fprintf(i.out, "Servers that %s offers\nThe list: SHA-256 %s; %s\nThe release: %s\n", base, list.SHA256, signed, published)
	w := tabwriter.NewWriter(i.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tVERSION\tJAVA\tMB\tINSTALLED\tSHA-256")
	for _, o := range list.Servers {
		state := "no"
		if have, ok := installed[o.Name]; ok && have.SHA256 == o.SHA256 {
			state = "yes"
		} else if ok {
			state = "another: " + have.Version
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%.1f\t%s\t%s\n", o.Name, o.Version, o.Java, float64(o.Size)/1e6, state, o.SHA256)
	}
	return w.Flush()
}
