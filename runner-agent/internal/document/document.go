// Package document reads YAML files that a JSON Schema describes, and names everything that is wrong with one at once, each
// with its line and column.
package document

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Problem is one thing that is wrong.
type Problem struct {
	Line, Column int    // from 1; 0: of no place
	Field        string // such as workloads.io.checks[0].status; empty: the file's
	Message      string // what is wrong, and how to mend it
}

// String begins with the place.
func (p Problem) String() string {
	var out strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&out, "line %d", p.Line)
		if p.Column > 0 {
			fmt.Fprintf(&out, ", column %d", p.Column)
		}
		out.WriteString(": ")
	}
	if p.Field != "" {
		out.WriteString(p.Field + " ")
	}
	return out.String() + p.Message
}

// Problems is everything that is wrong with a file.
type Problems struct {
	Path string
	List []Problem
}

func (p *Problems) Error() string {
	var out strings.Builder
	out.WriteString(p.Path + " is not valid:")
	for _, one := range p.List {
		out.WriteString("\n  - " + one.String())
	}
	return out.String()
}

// Document is a file that is being read.
type Document struct {
	path  string
	root  *yaml.Node // nil: there is nothing to look at
	found []Problem
	read  int // of these, found before a reader looked at values
}

// Field is the way to a field: names, and numbers of elements.
type Field []any

// Read decodes a file as far as it goes and finds what the schema refuses. Further problems may be added; Err has them all. The
// error is that the file cannot be read.
func Read(path string, schema *Schema, into any) (*Document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := &Document{path: path}
	in := yaml.NewDecoder(bytes.NewReader(text))
	root := &yaml.Node{}
	if err := in.Decode(root); errors.Is(err, io.EOF) {
		d.found = append(d.found, Problem{Message: "the file is empty"})
		return d, nil
	} else if err != nil {
		d.notYAML(err)
		return d, nil
	}
	plainDates(root)
	var value any
	if err := root.Decode(&value); err != nil { // a name twice, an alias of itself
		d.notYAML(err)
		return d, nil
	}
	d.root = root
	if err := in.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		d.found = append(d.found, Problem{Message: "there is more than one document in the file"})
	}
	d.found = append(d.found, schema.problems(root, named(value))...)
	if err := root.Decode(into); err != nil && len(d.found) == 0 {
		d.notYAML(err) // of what the schema takes, and its reader does not
	}
	d.read = len(d.found)
	return d, nil
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)$`)

// notYAML takes in what the YAML reader says.
func (d *Document) notYAML(err error) {
	texts := []string{err.Error()}
	if several := (*yaml.TypeError)(nil); errors.As(err, &several) {
		texts = several.Errors
	}
	for _, text := range texts {
		p := Problem{Message: strings.TrimPrefix(text, "yaml: ")}
		if m := yamlLine.FindStringSubmatch(text); m != nil {
			p.Line, _ = strconv.Atoi(m[1])
			p.Message = m[2]
		}
		d.found = append(d.found, p)
	}
}

// plainDates has dates read as the texts that they are written as.
func plainDates(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, child := range n.Content {
		plainDates(child)
	}
}

// named has a text for each name of a mapping, which YAML lets be anything.
func named(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			value[name] = named(field)
		}
	case map[any]any:
		out := map[string]any{}
		for name, field := range value {
			out[fmt.Sprint(name)] = named(field)
		}
		return out
	case []any:
		for i, element := range value {
			value[i] = named(element)
		}
	}
	return value
}

// Addf names a problem of a field, unless it could not be read: then one of it, or of what it is part of, is known.
func (d *Document) Addf(field Field, format string, args ...any) {
	if d.root == nil {
		return
	}
	p := Problem{Field: field.String(), Message: fmt.Sprintf(format, args...)}
	for _, known := range d.found[:d.read] {
		rest, part := strings.CutPrefix(p.Field, known.Field)
		if known.Field != "" && part && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return
		}
	}
	p.Line, p.Column = place(d.root, field)
	d.found = append(d.found, p)
}

// Err is nil when nothing is wrong; else it is the *Problems, in the order of the file.
func (d *Document) Err() error {
	if len(d.found) == 0 {
		return nil
	}
	slices.SortStableFunc(d.found, func(a, b Problem) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Field, b.Field))
	})
	return &Problems{d.path, d.found}
}

// Child is the way to one of a mapping's fields.
func (f Field) Child(name string) Field { return append(slices.Clone(f), name) }

// String is a.b[0].
func (f Field) String() string {
	var out strings.Builder
	for _, step := range f {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&out, "[%d]", step)
		default:
			if out.Len() > 0 {
				out.WriteByte('.')
			}
			fmt.Fprint(&out, step)
		}
	}
	return out.String()
}

// place is where a field stands, or the last part of its way that there is: of a field of a mapping its name.
func place(n *yaml.Node, field Field) (line, column int) {
	n = resolved(n)
	line, column = n.Line, n.Column
	for _, step := range field {
		name, child := next(n, step)
		if child == nil {
			return line, column
		}
		line, column = name.Line, name.Column
		n = resolved(child)
	}
	return line, column
}

// next is the field or element of a node, and where its name stands.
func next(n *yaml.Node, step any) (name, child *yaml.Node) {
	switch n.Kind {
	case yaml.SequenceNode:
		if i, ok := step.(int); ok && i < len(n.Content) {
			return n.Content[i], n.Content[i]
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == fmt.Sprint(step) {
				return n.Content[i], n.Content[i+1]
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].ShortTag() == "!!merge" {
				return next(resolved(n.Content[i+1]), step)
			}
		}
	}
	return nil, nil
}

func resolved(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.DocumentNode || n.Kind == yaml.AliasNode {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		} else {
			n = n.Content[0]
		}
	}
	return n
}
