package plan

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/document"
)

// What a field of a matrix must be by itself, and its default. It is the service's
// backend/api/matrix-1.schema.json, which cannot be embedded from there.
//
//go:embed matrix-1.schema.json
var schemaText []byte

func newSchema() (*document.Schema, error) {
	return document.NewSchema("matrix-1.schema.json", schemaText)
}

// problemsOf is everything that is wrong with single fields, sorted by field, one for each, in the words that the service has.
func problemsOf(s *document.Schema, matrix any) []api.FieldError {
	found := map[string]string{}
	for _, r := range s.Refusals(matrix) {
		field := r.Field.String()
		switch k := r.Kind.(type) {
		case *kind.Required:
			for _, name := range k.Missing {
				found[r.Field.Child(name).String()] = "is missing"
			}
		case *kind.AdditionalProperties:
			for _, name := range k.Properties {
				found[r.Field.Child(name).String()] = "is not a known field"
			}
		case *kind.MinItems:
			found[field] = "must not be empty"
		case *kind.UniqueItems:
			found[field] = "must name each once"
		default:
			if field == "" {
				field = "(document)"
			}
			found[field] = "must be " + described(r.Part) + ", is: " + shown(r.Value)
		}
	}
	var problems []api.FieldError
	for _, field := range slices.Sorted(maps.Keys(found)) {
		problems = append(problems, api.FieldError{Field: field, Message: found[field]})
	}
	return problems
}

// described says what a value must be by the part of the schema that refused it.
func described(part *jsonschema.Schema) string {
	for part.Description == "" && part.Ref != nil {
		part = part.Ref
	}
	switch {
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
