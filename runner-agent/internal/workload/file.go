package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/answer"
	"loomboard.dev/agent/internal/document"
)

// Bounds of files that a workload names.
const (
	mostBodyFile = 1 << 20
	mostDataFile = 4 << 20
)

var slugForm = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// Load reads a workloads.yaml and the files it names. The error lists every problem.
func Load(path string) (Set, error) {
	schema, err := document.NewSchema("workloads-1.schema.json", Schema)
	if err != nil {
		return nil, err
	}
	var file struct {
		Schema    string `yaml:"schema"`
		Workloads Set    `yaml:"workloads"`
	}
	doc, err := document.Read(path, schema, &file)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(file.Workloads)) {
		one := file.Workloads[name]
		one.Name = name
		c := checker{doc, document.Field{"workloads", name}, filepath.Dir(path)}
		c.spec(&one)
		file.Workloads[name] = one
	}
	return file.Workloads, doc.Err()
}

// checker finds what a schema cannot say, at a field of a file.
type checker struct {
	doc    *document.Document
	field  document.Field
	folder string // of the file
}

func (c checker) at(steps ...any) checker {
	c.field = append(slices.Clone(c.field), steps...)
	return c
}

func (c checker) addf(format string, args ...any) { c.doc.Addf(c.field, format, args...) }

func (c checker) spec(s *Spec) {
	c.name(s.Name)
	if name := s.DeclaredDelayParam; name != "" {
		if delay, there := s.Params[name]; !there {
			c.at("declaredDelayParam").addf("%q is none of the params", name)
		} else if _, err := millis(delay); err != nil {
			c.at("declaredDelayParam").addf("is %s: %s", name, err)
		}
	}
	known := c.names(s)
	requests := 0
	for _, p := range s.parts() {
		at := c
		if s.IsMix() {
			at = c.at("operations", p.Name)
			at.name(p.Name)
		}
		at.part(p, known)
		if s.Data != nil && p.namesAny(s.Data.columns) {
			requests += len(s.Data.table)
		} else if s.IsMix() {
			requests++
		}
	}
	if requests > MostRows {
		c.at("data").addf("makes %d requests, one of each row for each operation that names a column and one for each other; %d are the most", requests, MostRows)
	}
}

// name of a workload or of an operation.
func (c checker) name(name string) {
	if !slugForm.MatchString(name) {
		c.addf("must be called by lower-case words joined by hyphens")
	}
}

func (c checker) part(p Part, known []string) {
	c.operation(&p.Operation, known)
	if len(p.Checks) == 0 && p.Success == nil {
		c.at("checks").addf("is missing: without a check or success a wrong answer would be measured")
	}
	for i, one := range p.Checks {
		c.at("checks", i).right(&one.Right)
	}
}

// names are what the workload's own request may name. Each has one source.
func (c checker) names(s *Spec) []string {
	known := slices.Sorted(maps.Keys(s.Params))
	add := func(at checker, name string) {
		if !nameForm.MatchString(name) {
			at.addf("%q must be letters, digits and _, beginning with a letter", name)
		}
		if slices.Contains(known, name) {
			at.addf("{%s} has another value already: give one of them another name", name)
		}
		known = append(known, name)
	}
	steps := slices.Sorted(maps.Keys(s.Params))
	var taken []string
	for i := range s.Setup {
		at := c.at("setup", i)
		at.operation(&s.Setup[i].Operation, steps)
		for _, name := range slices.Sorted(maps.Keys(s.Setup[i].Take)) {
			at.at("take", name).take(s.Setup[i].Take[name])
			if !slices.Contains(taken, name) { // a later step may take it anew
				taken = append(taken, name)
				add(at.at("take", name), name)
			}
		}
		steps = append(steps, taken...)
	}
	if s.Data != nil {
		c.at("data").data(s.Data)
		for _, name := range s.Data.columns {
			add(c.at("data"), name)
		}
	}
	return known
}

func (c checker) data(d *Data) {
	switch {
	case (d.File == "") == (len(d.Ranges) == 0):
		c.addf("must have either file or ranges")
	case d.File == "":
		if err := d.fromRanges(); err != nil {
			c.at("ranges").addf("%s", err)
		}
	case d.Rows != 0:
		c.at("rows").addf("is of ranges: a file has the rows that it has")
	default:
		if text, sum, ok := c.at("file").read(d.File, mostDataFile); ok {
			d.SHA256 = sum
			if err := d.fromCSV(text); err != nil {
				c.at("file").addf("%s: %s", d.File, err)
			}
		}
	}
}

// managedHeaders are the load core's.
var managedHeaders = []string{"Connection", "Content-Length", "Transfer-Encoding"}

var headerForm = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

func (c checker) operation(o *Operation, known []string) {
	for _, name := range o.names() {
		if !slices.Contains(known, name) {
			c.addf("names {%s}, which nothing gives a value: there are %s; {{%s}} stands for that text itself", name, listed(known), name)
		}
	}
	for name, value := range o.Headers {
		at := c.at("headers", name)
		switch {
		case !headerForm.MatchString(name):
			at.addf("is no name of a header")
		case slices.ContainsFunc(managedHeaders, func(m string) bool { return strings.EqualFold(m, name) }):
			at.addf("is set by the agent: leave it out")
		case strings.EqualFold(name, "Cookie") && len(o.Cookies) > 0:
			at.addf("must be left out where there are cookies")
		case strings.ContainsAny(value, "\r\n\x00"):
			at.addf("must be one line")
		}
	}
	for name, value := range o.Cookies {
		if !headerForm.MatchString(name) || strings.ContainsAny(value, ";\r\n\x00") {
			c.at("cookies", name).addf("must be a name of letters, digits and a few signs, and a value without ; and line breaks")
		}
	}
	if o.Success != nil {
		c.at("success").right(o.Success)
		if o.Method == "HEAD" && (o.Success.Length != nil || looksInside(*o.Success)) {
			c.at("success").addf("asks for a body, and HEAD has none: leave status alone")
		}
	}
	if o.Body != nil {
		c.at("body").body(o)
	}
}

func listed(names []string) string {
	if len(names) == 0 {
		return "no values"
	}
	return strings.Join(names, ", ")
}

func (c checker) body(o *Operation) {
	b := o.Body
	if o.Method == "HEAD" {
		c.addf("must be left out: HEAD has none")
	}
	if b.File != "" {
		b.content, b.SHA256, _ = c.at("file").read(b.File, mostBodyFile)
	}
	if b.Text != nil && len(*b.Text) > mostBodyFile {
		c.at("text").addf("has %d bytes, %d are the most", len(*b.Text), mostBodyFile)
	}
	if _, err := answer.Compact(b.JSON); err != nil {
		c.at("json").addf("must be what JSON can say: %s", err)
	}
}

// right finds what no answer can be compared with.
func (c checker) right(r *answer.Right) {
	if _, err := r.Check(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			field, message, _ := strings.Cut(line, ": ")
			c.at(field).addf("%s", message)
		}
	}
}

func looksInside(r answer.Right) bool {
	check, err := r.Check()
	return err == nil && check.LooksInside()
}

func (c checker) take(t Take) {
	if t.Pattern == "" {
		return
	}
	if p, err := regexp.Compile(t.Pattern); err != nil {
		c.at("pattern").addf("%s", err)
	} else if p.NumSubexp() > 1 {
		c.at("pattern").addf("must have one group at most, in round brackets: it is the value")
	}
}

// read a file that is named from the folder of this one, and does not lie outside.
func (c checker) read(name string, most int64) (text []byte, sum string, ok bool) {
	if !filepath.IsLocal(name) {
		c.addf("%q must lie in the folder of this file", name)
		return nil, "", false
	}
	root, err := os.OpenRoot(c.folder) // links do not lead out of it either
	if err != nil {
		c.addf("%s", err)
		return nil, "", false
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		c.addf("there is no file %s", filepath.Join(c.folder, name))
	case err != nil:
		c.addf("%s", err)
	case !info.Mode().IsRegular():
		c.addf("%s is no plain file", name)
	case info.Size() > most:
		c.addf("%s has %d bytes, %d are the most", name, info.Size(), most)
	default:
		if text, err = root.ReadFile(name); err != nil {
			c.addf("%s", err)
			return nil, "", false
		}
		digest := sha256.Sum256(text)
		return text, hex.EncodeToString(digest[:]), true
	}
	return nil, "", false
}

// Lacking lists the names that are not in the set.
func (s Set) Lacking(names []string) []string {
	var lacking []string
	for _, name := range names {
		if _, ok := s[name]; !ok {
			lacking = append(lacking, name)
		}
	}
	return lacking
}

// Missing says that a workload is described nowhere.
func Missing(server string, names []string, places ...string) error {
	return fmt.Errorf("server %s names workloads that %s does not describe: %s; describe them there (the form: loomboard-agent schema workloads), or take them out of server.yaml",
		server, strings.Join(places, " or "), strings.Join(names, ", "))
}
