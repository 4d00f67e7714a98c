package plan

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"loomboard.dev/agent/internal/api"
)

// What a field of a matrix must be by itself, and its default. It is the service's
// backend/api/matrix-1.schema.json, which cannot be embedded from there.
//
//go:embed matrix-1.schema.json
var schemaText []byte

const schemaURL = "https://loomboard.invalid/matrix-1.schema.json"

type schema struct {
	compiler *jsonschema.Compiler
	root     *jsonschema.Schema
}

func newSchema() (*schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		return nil, fmt.Errorf("matrix-1.schema.json: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaURL, document); err != nil {
		return nil, err
	}
	root, err := c.Compile(schemaURL)
	return &schema{c, root}, err
}

// problems is everything that is wrong with single fields, sorted by field, one for each.
func (s *schema) problems(document any) []api.FieldError {
	var invalid *jsonschema.ValidationError
	if !errors.As(s.root.Validate(document), &invalid) {
		return nil
	}
	found := map[string]string{}
	s.collect(invalid, document, found)
	var problems []api.FieldError
	for _, field := range slices.Sorted(maps.Keys(found)) {
		problems = append(problems, api.FieldError{Field: field, Message: found[field]})
	}
	return problems
}

func (s *schema) collect(e *jsonschema.ValidationError, document any, found map[string]string) {
	for _, cause := range e.Causes {
		s.collect(cause, document, found)
	}
	if len(e.Causes) > 0 {
		return
	}
	field, value := locate(document, e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			found[child(field, name)] = "is missing"
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			found[child(field, name)] = "is not a known field"
		}
	case *kind.MinItems:
		found[field] = "must not be empty"
	case *kind.UniqueItems:
		found[field] = "must name each once"
	default:
		if field == "" {
			field = "(document)"
		}
		found[field] = "must be " + s.described(e.SchemaURL) + ", is: " + shown(value)
	}
}

// described says what a value must be by the part of the schema that refused it.
func (s *schema) described(url string) string {
	part, err := s.compiler.Compile(url)
	for err == nil && part.Description == "" && part.Ref != nil {
		part = part.Ref
	}
	switch {
	case err != nil:
		return "as " + url + " says"
	case part.Types != nil && slices.Equal(part.Types.ToStrings(), []string{"object"}):
		return "a mapping of names to values"
	case part.Types != nil && slices.Equal(part.Types.ToStrings(), []string{"array"}):
		return "a list"
	}
	return part.Description
}

// addDefaults adds the schema's defaults to a valid value where fields are left out.
func addDefaults(s *jsonschema.Schema, value any) {
	if s.Ref != nil {
		addDefaults(s.Ref, value)
	}
	for _, part := range s.AllOf {
		addDefaults(part, value)
	}
	if s.If != nil && s.If.Validate(value) == nil {
		addDefaults(s.Then, value)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, property := range s.Properties {
			if _, given := value[name]; !given && property.Default != nil {
				value[name] = *property.Default
			}
			if field, there := value[name]; there {
				addDefaults(property, field)
			}
		}
	case []any:
		for _, element := range value {
			if s.Items2020 != nil {
				addDefaults(s.Items2020, element)
			}
		}
	}
}

// locate is the path of a field, such as scenarios[0].load, and its value.
func locate(document any, location []string) (string, any) {
	path, value := "", document
	for _, step := range location {
		switch parent := value.(type) {
		case map[string]any:
			path, value = child(path, step), parent[step]
		case []any:
			i, _ := strconv.Atoi(step)
			path, value = path+"["+step+"]", parent[i]
		}
	}
	return path, value
}

func child(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func shown(value any) string {
	switch value.(type) {
	case map[string]any, map[any]any:
		return "a mapping"
	case []any:
		return "a list"
	case nil:
		return "nothing"
	}
	return fmt.Sprint(value)
}

// withoutNulls leaves out the fields of mappings that are null: they count as left out.
func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, field any) bool { return field == nil })
		for _, field := range value {
			withoutNulls(field)
		}
	case []any:
		for _, element := range value {
			withoutNulls(element)
		}
	}
	return value
}
