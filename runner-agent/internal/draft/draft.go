// Package draft writes the first server.yaml and workloads.yaml of an application that nobody has described yet: it starts the
// application, looks at which port it listens and what it offers, and verifies what it proposes.
package draft

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/workload"
)

// Wish is what somebody wants a server folder for: one of Jar, Command and URL.
type Wish struct {
	Jar     string
	Command []string // the program first, which may be java; with Jar its arguments
	URL     string   // of an application that runs already
	Path    string   // what it is asked first, or beneath which it lies; empty: /
	// Environment are variables that it gets, with {port} for the port.
	Environment map[string]string
	// Database is started before the application, each time anew; nil: it asks none.
	Database StartDatabase

	Name   string // empty: made from what is named
	Folder string // to write to; empty: one of that name
	Force  bool   // overwrites files

	Builds []jdk.Build   // that a jar is started on, newest first
	Within time.Duration // how long a start may take
	Work   string        // a folder for this alone, which the caller removes
	Says   io.Writer     // gets what is done, in words
}

// Make writes the folder and gives its path. Nothing is written unless the application was started and what is proposed was
// verified; whatever was started is ended.
func Make(ctx context.Context, w Wish) (folder string, err error) {
	d, err := w.begin()
	if err != nil {
		return "", err
	}
	if w.Name == "" {
		w.Name = d.spec.Name
	}
	if !nameForm.MatchString(w.Name) {
		return "", fmt.Errorf("the name %q must be lower-case words joined by hyphens: give another by --name", w.Name)
	}
	d.spec.Name = w.Name
	if folder, err = w.folder(); err != nil {
		return "", err
	}
	if err := w.mayWrite(folder, d.links); err != nil {
		return "", err
	}
	d.seed = server.Spec{Dir: folder}.SeedFile("")
	d.spec.Dir = filepath.Join(w.Work, "server")
	if err := os.MkdirAll(d.spec.Dir, 0o755); err != nil {
		return "", err
	}
	if err := d.link(d.spec.Dir); err != nil {
		return "", err
	}
	if err := d.learn(ctx); err != nil {
		return "", err
	}
	for i := range d.proposals { // in a folder of servers a name has one meaning
		d.proposals[i].name = d.spec.Name + "-" + d.proposals[i].name
	}
	if err := d.write(d.spec.Dir); err != nil {
		return "", err
	}
	if err := d.prove(ctx); err != nil {
		return "", err
	}
	return folder, d.place(folder)
}

// folder to write to. Beside a program of the server's name it takes another one.
func (w Wish) folder() (string, error) {
	if w.Folder != "" {
		return filepath.Abs(w.Folder)
	}
	folder, err := filepath.Abs(w.Name)
	if info, statErr := os.Stat(folder); statErr == nil && !info.IsDir() {
		folder += "-server"
	}
	return folder, err
}

var nameForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// draft is a server folder that is being made.
type draft struct {
	Wish
	spec  server.Spec
	links map[string]string // in the folder: names and what they lead to

	seed    string   // a file that fills the database; empty: there is none
	classes string   // the jar, or the folder of the jars, that has the classes of an application in a JVM
	options []string // of the JVM, as they were given
	leftOut []string // of these, and why

	why       map[string]string // comments, by field
	proposals []proposal
	source    string   // where the proposals are from
	results   []string // of each JDK
}

// begin finds out what is wanted, without starting anything.
func (w Wish) begin() (*draft, error) {
	d := &draft{Wish: w, links: map[string]string{}, why: map[string]string{}}
	if err := d.ofWhatIsNamed(); err != nil {
		return nil, err
	}
	d.spec.Environment = maps.Clone(w.Environment)
	for _, name := range slices.Sorted(maps.Keys(w.Environment)) {
		if why := d.spec.RefusesVariable(name, w.Environment[name]); why != "" {
			return nil, fmt.Errorf("the variable %q %s", name, why)
		}
	}
	if err := d.takeDatabase(); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *draft) ofWhatIsNamed() error {
	switch {
	case d.URL != "":
		return d.ofURL()
	case d.Jar != "":
		return d.ofJar()
	case StartsJVM(d.Command):
		return d.ofJava()
	case len(d.Command) > 0:
		return d.ofCommand()
	}
	return errors.New("name a jar, a command or a URL")
}

func (d *draft) ofURL() error {
	u, err := url.Parse(d.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return fmt.Errorf("%q must be the address of an application, such as http://localhost:8080", d.URL)
	}
	d.spec = server.Spec{Kind: server.KindURL, Name: slug(u.Host), URL: u.Scheme + "://" + u.Host,
		Variants: []server.Variant{{Name: server.DefaultVariant}}, Readiness: server.Readiness{Port: true}}
	return nil
}

// ofCommand runs in the folder in which it was named, so that it means the same.
func (d *draft) ofCommand() error {
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	d.links[linkName] = here
	d.spec = server.Spec{Kind: server.KindProcess, Name: slug(strings.TrimSuffix(filepath.Base(d.Command[0]), filepath.Ext(d.Command[0]))),
		Command: slices.Clone(d.Command), WorkingFolder: linkName, Variants: []server.Variant{{Name: server.DefaultVariant}}}
	d.why["workingFolder"] = "app is a link to the folder in which init was called"
	d.why["digest"] = "In the server's digest: its program, the artifact and what this file says. Name the file that the program runs as artifact."
	switch program := d.Command[0]; {
	case !strings.Contains(program, "/"): // looked for on the PATH
	case filepath.IsLocal(program):
		d.spec.Command[0] = filepath.Join(linkName, program)
	default:
		if d.spec.Command[0], err = filepath.Abs(program); err != nil {
			return err
		}
	}
	for _, word := range d.Command[1:] {
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() && filepath.IsLocal(word) {
			d.spec.Artifact = filepath.Join(linkName, word)
			break
		}
	}
	return nil
}

// linkName is that of the link by which a server's folder leads to where its application lies.
const linkName = "app"

// ofFile has the folder lead to a file's folder by a link, since the file may need its neighbours.
func (d *draft) ofFile(path string) error {
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	d.links[linkName] = filepath.Dir(whole)
	d.spec.Artifact = filepath.Join(linkName, filepath.Base(whole))
	d.why["artifact"] = "app is a link to its folder; of what lies there, this file alone is in the server's digest"
	return nil
}

func (d *draft) link(dir string) error {
	for name, target := range d.links {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// mayWrite refuses a folder in which there is something already.
func (w Wish) mayWrite(folder string, links map[string]string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file: name a folder by --into", folder)
	}
	if w.Force {
		return nil
	}
	names := []string{"server.yaml", workload.FileName}
	for name := range links {
		names = append(names, name)
	}
	var there []string
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
			there = append(there, name)
		}
	}
	if len(there) > 0 {
		return fmt.Errorf("%s has %s already: name another folder by --into, or overwrite by --force", folder, strings.Join(there, " and "))
	}
	return nil
}

// place puts what was made and proven where it is wanted.
func (d *draft) place(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, target := range d.links {
		path := filepath.Join(folder, name)
		if d.Force {
			if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				if err := os.Remove(path); err != nil {
					return err
				}
			}
		}
		if err := os.Symlink(target, path); err != nil {
			return err
		}
	}
	return d.write(folder)
}

// write both files. Those that are there may go: that was asked for, or these are new.
func (d *draft) write(dir string) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if d.Force || dir == d.spec.Dir {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	for name, text := range map[string]string{"server.yaml": d.serverText(), workload.FileName: d.workloadsText()} {
		f, err := os.OpenFile(filepath.Join(dir, name), flags, 0o644)
		if err != nil {
			return err
		}
		_, err = f.WriteString(text)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

var (
	versionForm = regexp.MustCompile(`[-_]v?[0-9]+([.][0-9A-Za-z]+)*([-_.](SNAPSHOT|RELEASE|Final))?([-_](exec|all|fat|boot|runner))?$`)
	notSlug     = regexp.MustCompile(`[^a-z0-9]+`)
)

// slug is a text as a name.
func slug(text string) string {
	text = versionForm.ReplaceAllString(text, "")
	return strings.Trim(notSlug.ReplaceAllString(strings.ToLower(text), "-"), "-")
}
