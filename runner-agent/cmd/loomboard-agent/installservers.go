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
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"loomboard.dev/agent/internal/install"
)

// installation is one call of install-servers.
type installation struct {
	folder   install.Folder
	expected string // digest that the owner was shown elsewhere; empty: none
	yes      bool
	in       io.Reader
	out      io.Writer
}

func installServers(ctx context.Context, args []string) error {
	i := installation{in: os.Stdin, out: os.Stdout}
	var base, from, servers string
	names, help, err := flagsOf("install-servers", "install-servers [--sha256 HEX] [SERVER…], or install-servers --from FILE", args,
		func(f *flag.FlagSet) {
			f.StringVar(&i.expected, "sha256", "", "SHA-256 of the list of servers (of FILE with --from), as the service's page shows it: "+
				"anything else is refused, and no question asked")
			f.BoolVar(&i.yes, "yes", false, "do not ask, whatever the digest is")
			f.StringVar(&from, "from", "", "install this `file` and ask no service")
			f.StringVar(&base, "url", "", "address of the service (default the one that this machine is registered with)")
			f.StringVar(&servers, "servers", "", "folder to install into (default $LOOMBOARD_SERVERS, that of the registration, or beside the agent's home)")
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
	if base = cmp.Or(base, c.URL); base == "" {
		return registration
	}
	return i.fromService(ctx, install.Service{Base: base}, names)
}

func (i installation) fromService(ctx context.Context, s install.Service, names []string) error {
	offers, digest, err := s.Offers(ctx)
	if err != nil {
		return err
	}
	if err := i.print(s.Base, offers, digest); err != nil {
		return err
	}
	// A list that is signed by the key that this machine pinned would be checked here, and then needs no digest from its owner.
	if i.expected != "" && i.expected != digest {
		return fmt.Errorf("the list has another SHA-256 than %s: nothing is installed. Take the line from the service's page anew; "+
			"if it stays so, ask whoever runs the service", i.expected)
	}
	if len(names) == 0 {
		fmt.Fprintln(i.out, "Install with: loomboard-agent install-servers NAME…")
		return nil
	}
	chosen, err := offers.Named(names)
	if err != nil {
		return usageError{fmt.Errorf("install-servers: %w", err)}
	}
	if err := i.confirm("The service says so, and nobody else. Install what runs as a server on this machine"); err != nil {
		return err
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

func (i installation) print(base string, offers install.Offers, digest string) error {
	installed, err := i.folder.Installed()
	if err != nil {
		return err
	}
	fmt.Fprintf(i.out, "Servers that %s offers (SHA-256 of the list: %s)\n", base, digest)
	w := tabwriter.NewWriter(i.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tVERSION\tJAVA\tMB\tINSTALLED\tSHA-256")
	for _, o := range offers.Servers {
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
