// Package answer says whether an HTTP answer is the right one: its status, its length and what stands in it.
package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MostBody is the most bytes of a body that is looked into.
const MostBody = 1 << 20

// Right is what an answer must be. A field that is left out asks for nothing.
type Right struct {
	Status   Statuses `yaml:"status" json:"status,omitempty"`     // left out: any 2xx
	Length   *Length  `yaml:"length" json:"length,omitempty"`     // of the body
	Body     *string  `yaml:"body" json:"body,omitempty"`         // the whole of it
	Contains Texts    `yaml:"contains" json:"contains,omitempty"` // all of them, somewhere
	Pattern  string   `yaml:"pattern" json:"pattern,omitempty"`   // a regular expression (RE2), somewhere
	JSON     Values   `yaml:"json" json:"json,omitempty"`         // what stands there, by JSON pointer
}

// Statuses are those that are right.
type Statuses []Range

// Range is of statuses, both ends included.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// String is as in a file.
func (r Range) String() string {
	switch {
	case r.From == r.To:
		return strconv.Itoa(r.From)
	case r.From%100 == 0 && r.To == r.From+99:
		return strconv.Itoa(r.From/100) + "xx"
	}
	return fmt.Sprintf("%d-%d", r.From, r.To)
}

// String is as in a file.
func (s Statuses) String() string {
	var all []string
	for _, r := range s.orDefault() {
		all = append(all, r.String())
	}
	return strings.Join(all, ", ")
}

func (s Statuses) orDefault() Statuses {
	if len(s) == 0 {
		return Statuses{{200, 299}}
	}
	return s
}

// UnmarshalYAML reads 302, 2xx, 200-204, or a list of these.
func (s *Statuses) UnmarshalYAML(n *yaml.Node) error {
	for _, one := range elements(n) {
		r, err := parseRange(one.Value)
		if err != nil {
			return misread(one, err)
		}
		*s = append(*s, r)
	}
	return nil
}

func parseRange(text string) (Range, error) {
	from, to, ranged := strings.Cut(text, "-")
	if class, ok := strings.CutSuffix(text, "xx"); ok {
		from, to, ranged = class+"00", class+"99", true
	}
	var r Range
	var err error
	if r.From, err = strconv.Atoi(from); err == nil {
		r.To = r.From
		if ranged {
			r.To, err = strconv.Atoi(to)
		}
	}
	if err != nil {
		return r, fmt.Errorf("%q is no status: 302, a class such as 2xx, or a range such as 200-204", text)
	}
	return r, nil
}

// Length is in bytes, both ends included.
type Length struct {
	Min  int64  `yaml:"min" json:"min,omitempty"`
	Most *int64 `yaml:"max" json:"max,omitempty"` // nil: any
}

// UnmarshalYAML reads a number, or min and max.
func (l *Length) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		type plain Length // without this method
		return n.Decode((*plain)(l))
	}
	l.Most = &l.Min
	return n.Decode(&l.Min)
}

// String is for people.
func (l Length) String() string {
	switch {
	case l.Most == nil:
		return fmt.Sprintf("%d bytes or more", l.Min)
	case *l.Most == l.Min:
		return fmt.Sprintf("%d bytes", l.Min)
	}
	return fmt.Sprintf("%d to %d bytes", l.Min, *l.Most)
}

// Texts are one or several.
type Texts []string

// UnmarshalYAML reads a text or a list of them.
func (t *Texts) UnmarshalYAML(n *yaml.Node) error {
	for _, one := range elements(n) {
		*t = append(*t, one.Value)
	}
	return nil
}

// elements are those of a list, or what is none.
func elements(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// Values are pieces of JSON, by where they must stand.
type Values map[string]json.RawMessage

// UnmarshalYAML reads a mapping whose values may be anything.
func (v *Values) UnmarshalYAML(n *yaml.Node) error {
	var all map[string]any
	if err := n.Decode(&all); err != nil {
		return err
	}
	*v = Values{}
	for pointer, value := range all {
		text, err := Compact(value)
		if err != nil {
			return misread(n, fmt.Errorf("%s: %w", pointer, err))
		}
		(*v)[pointer] = text
	}
	return nil
}

// misread lets the reader go on, and find more.
func misread(n *yaml.Node, err error) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %s", n.Line, err)}}
}

// Compact is a value as JSON, without white space and with its characters as they are.
func Compact(value any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
