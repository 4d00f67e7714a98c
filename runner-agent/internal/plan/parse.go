package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"loomboard.dev/agent/internal/api"
)

// Parse reads a matrix and names every problem in it: those of single fields, or if
// there are none, those that only show in all fields together.
func Parse(text []byte) (Matrix, error) {
	var document any
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return Matrix{}, &Problems{List: []api.FieldError{{Field: "(document)",
			Message: "is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}}}
	}
	s, err := newSchema()
	if err != nil {
		return Matrix{}, err
	}
	problems := problemsOf(s, withoutNulls(document))
	var m Matrix
	if len(problems) == 0 {
		addDefaults(s.Root, document)
		if m, err = decode(document); err != nil {
			return Matrix{}, fmt.Errorf("a matrix that its schema takes: %w", err)
		}
		problems = m.problems()
	}
	if !errors.Is(d.Decode(new(yaml.Node)), io.EOF) {
		problems = append(problems, api.FieldError{
			Field:   "(document)",
			Message: "there is more than one document in the file",
		})
	}
	if len(problems) > 0 {
		return Matrix{}, &Problems{Path: "the text", List: problems}
	}
	return m, nil
}

// decode reads a valid document by its JSON.
func decode(document any) (Matrix, error) {
	fields, _ := document.(map[string]any)
	jdks, _ := fields["jdks"].([]any)
	for i, selector := range jdks {
		jdks[i] = fmt.Sprint(selector) // 25 is a number
	}
	var m Matrix
	text, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	scenarios, _ := fields["scenarios"].([]any)
	for i := range m.Scenarios {
		s, _ := scenarios[i].(map[string]any)
		m.Scenarios[i].Params, _ = s["params"].(map[string]any) // whole numbers stay whole
	}
	return m, err
}
