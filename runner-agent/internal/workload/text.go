package workload

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// nameForm is that of a value which texts may name, and fills what names one in a text. A name in double braces stands for
// itself in single ones.
var (
	nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	fills    = regexp.MustCompile(`\{\{[A-Za-z][A-Za-z0-9_]*\}\}|\{[A-Za-z][A-Za-z0-9_]*\}`)
)

// namesIn are the values that a text names.
func namesIn(text string) []string {
	var names []string
	for _, found := range fills.FindAllString(text, -1) {
		if !strings.HasPrefix(found, "{{") {
			names = append(names, found[1:len(found)-1])
		}
	}
	return names
}

// values are what texts name.
type values map[string]any

// text is a value, as it is written.
func (v values) text(name string) (string, error) {
	value, there := v[name]
	if !there {
		return "", fmt.Errorf("there is no value {%s}", name)
	}
	text, err := textOf(value)
	if err != nil {
		return "", fmt.Errorf("{%s}: %w", name, err)
	}
	return text, nil
}

// fill puts values where a text names them, each as escape has it.
func (v values) fill(text string, escape func(string) string) (string, error) {
	var failed error
	out := fills.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "{{") {
			return found[1 : len(found)-1]
		}
		value, err := v.text(found[1 : len(found)-1])
		if err != nil {
			failed = err
		}
		return escape(value)
	})
	return out, failed
}

func asItIs(text string) string { return text }

// fillAll fills the texts of a mapping.
func (v values) fillAll(texts map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(texts))
	for name, text := range texts {
		var err error
		if out[name], err = v.fill(text, asItIs); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fillJSON fills the texts in a JSON value. One that is a name and nothing else becomes that value, as it is.
func (v values) fillJSON(value any) (any, error) {
	switch value := value.(type) {
	case string:
		if names := namesIn(value); len(names) == 1 && value == "{"+names[0]+"}" {
			if whole, there := v[names[0]]; there {
				return whole, nil
			}
		}
		return v.fill(value, asItIs)
	case []any:
		out := make([]any, len(value))
		for i, element := range value {
			var err error
			if out[i], err = v.fillJSON(element); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(value))
		for name, field := range value {
			var err error
			if out[name], err = v.fillJSON(field); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// names are the values that an operation's texts name, sorted.
func (o Operation) names() []string {
	names := namesIn(o.Path)
	add := func(texts map[string]string) {
		for _, text := range texts {
			names = append(names, namesIn(text)...)
		}
	}
	add(o.Query)
	add(o.Headers)
	add(o.Cookies)
	if b := o.Body; b != nil {
		add(b.Form)
		if b.Text != nil {
			names = append(names, namesIn(*b.Text)...)
		}
		names = append(names, namesInJSON(b.JSON)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namesAny is whether a text names one of these.
func (o Operation) namesAny(some []string) bool {
	return slices.ContainsFunc(o.names(), func(name string) bool { return slices.Contains(some, name) })
}

func namesInJSON(value any) (names []string) {
	switch value := value.(type) {
	case string:
		return namesIn(value)
	case []any:
		for _, element := range value {
			names = append(names, namesInJSON(element)...)
		}
	case map[string]any:
		for field := range maps.Values(value) {
			names = append(names, namesInJSON(field)...)
		}
	}
	return names
}
