package document

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"
)

// Schema is a JSON Schema whose descriptions complete the sentence "must be …".
type Schema struct {
	Root     *jsonschema.Schema
	compiler *jsonschema.Compiler
}

// NewSchema reads a schema; its name is for errors in it.
func NewSchema(name string, text []byte) (*Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	url := "https://loomboard.invalid/" + name
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, document); err != nil {
		return nil, err
	}
	root, err := c.Compile(url)
	return &Schema{root, c}, err
}

// Refusal is one thing that a schema refuses.
type Refusal struct {
	Field Field
	Value any // that the field has
	Kind  jsonschema.ErrorKind
	Part  *jsonschema.Schema // which refused it
}

// Refusals are all of a document, each of a single field. Of a choice there is one: its description says what there is to choose.
func (s *Schema) Refusals(document any) []Refusal {
	var invalid *jsonschema.ValidationError
	if !errors.As(s.Root.Validate(document), &invalid) {
		return nil
	}
	return s.refusals(invalid, document)
}

func (s *Schema) refusals(e *jsonschema.ValidationError, document any) (all []Refusal) {
	_, any := e.ErrorKind.(*kind.AnyOf)
	_, one := e.ErrorKind.(*kind.OneOf)
	if len(e.Causes) > 0 && !any && !one {
		for _, cause := range e.Causes {
			all = append(all, s.refusals(cause, document)...)
		}
		return all
	}
	field, value := locate(document, e.InstanceLocation)
	part, err := s.compiler.Compile(e.SchemaURL)
	if err != nil {
		part = &jsonschema.Schema{Description: "as " + e.SchemaURL + " says"}
	}
	return []Refusal{{field, value, e.ErrorKind, part}}
}

// problems is everything that is wrong with single fields, at most one of each.
func (s *Schema) problems(root *yaml.Node, document any) []Problem {
	found := map[string]Problem{}
	for _, r := range s.Refusals(document) {
		add := func(field Field, message string) {
			p := Problem{Field: field.String(), Message: message}
			p.Line, p.Column = place(root, field)
			found[p.Field] = p
		}
		if len(r.Field) == 0 {
			r.Part = s.Root // its conditions only say which fields they are of
		}
		switch k := r.Kind.(type) {
		case *kind.Required:
			for _, name := range k.Missing {
				add(r.Field.Child(name), "is missing: "+wanted(r.Part, name))
			}
		case *kind.AdditionalProperties:
			for _, name := range k.Properties {
				add(r.Field.Child(name), "is not a known field; known are: "+known(r.Part))
			}
		case *kind.UniqueItems:
			add(r.Field, "must name each once")
		default:
			add(r.Field, "must be "+described(r.Part)+", is: "+shown(r.Value))
		}
	}
	return slices.Collect(maps.Values(found))
}

// wanted describes a field that is missing.
func wanted(part *jsonschema.Schema, name string) string {
	if property := part.Properties[name]; property != nil {
		return described(property)
	}
	return "it is needed"
}

func described(part *jsonschema.Schema) string {
	for part.Description == "" && part.Ref != nil {
		part = part.Ref
	}
	switch {
	case part.Description != "":
		return part.Description
	case part.Types != nil && slices.Equal(part.Types.ToStrings(), []string{"array"}):
		return "a list"
	}
	return "a mapping of names to values"
}

// known are the names of a mapping's fields.
func known(part *jsonschema.Schema) string {
	return strings.Join(slices.Sorted(maps.Keys(part.Properties)), ", ")
}

// locate is the way to a field and its value.
func locate(document any, location []string) (Field, any) {
	var field Field
	value := document
	for _, step := range location {
		switch parent := value.(type) {
		case map[string]any:
			field, value = append(field, step), parent[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(parent) {
				return field, value
			}
			field, value = append(field, i), parent[i]
		}
	}
	return field, value
}

func shown(value any) string {
	switch value := value.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case nil:
		return "nothing"
	case string:
		return strconv.Quote(value)
	default:
		return fmt.Sprint(value)
	}
}
