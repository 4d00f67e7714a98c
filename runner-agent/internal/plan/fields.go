package plan

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"loomboard.dev/agent/internal/api"
)

// fields is a mapping of the document, read field by field. What is absent or
// wrong is noted with its path and read as something harmless, so that one
// reading finds every problem.
type fields struct {
	values   map[string]any
	path     string
	problems *[]api.FieldError
	asked    map[string]bool
}

func fieldsOf(value any, path string, problems *[]api.FieldError) *fields {
	values, ok := value.(map[string]any)
	f := &fields{values, path, problems, map[string]bool{}}
	if !ok {
		if path == "" {
			path = "(document)"
		}
		*problems = append(*problems, api.FieldError{
			Field:   path,
			Message: "must be a mapping of names to values",
		})
		f.problems = new([]api.FieldError) // its fields would only repeat that
	}
	return f
}

func (f *fields) at(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

func (f *fields) refuse(name, format string, args ...any) {
	*f.problems = append(*f.problems, api.FieldError{
		Field:   f.at(name),
		Message: fmt.Sprintf(format, args...),
	})
}

func (f *fields) has(name string) bool {
	f.asked[name] = true
	return f.values[name] != nil
}

func (f *fields) required(name string) (any, bool) {
	if !f.has(name) {
		f.refuse(name, "is missing")
		return nil, false
	}
	return f.values[name], true
}

// noOthers notes every field nobody asked for: a misspelt one must not be ignored.
func (f *fields) noOthers() {
	for _, name := range slices.Sorted(maps.Keys(f.values)) {
		if !f.asked[name] {
			f.refuse(name, "is not a known field")
		}
	}
}

func (f *fields) text(name string, good func(string) bool, mustBe string) string {
	value, ok := f.required(name)
	if !ok {
		return ""
	}
	if text, ok := value.(string); ok && good(text) {
		return text
	}
	f.refuse(name, "must be %s, is: %v", mustBe, value)
	return ""
}

// number is above one bound and at most the other.
func (f *fields) number(name string, above, most float64) float64 {
	value, ok := f.required(name)
	if !ok {
		return 1
	}
	if n, ok := float(value); ok && n > above && n <= most {
		return n
	}
	f.refuse(name, "must be a number above %v and at most %v, is: %v", plain(above), plain(most), value)
	return 1
}

// numberOr may be left out.
func (f *fields) numberOr(name string, fallback, above, most float64) float64 {
	if !f.has(name) {
		return fallback
	}
	return f.number(name, above, most)
}

// seconds may be zero or left out.
func (f *fields) seconds(name string, most float64) float64 {
	if !f.has(name) {
		return 0
	}
	if n, ok := float(f.values[name]); ok && n >= 0 && n <= most {
		return n
	}
	f.refuse(name, "must be a number of seconds from 0 to %v, is: %v", plain(most), f.values[name])
	return 0
}

func (f *fields) whole(name string, fallback, least, most int) int {
	if !f.has(name) {
		return fallback
	}
	if n, ok := f.values[name].(int); ok && n >= least && n <= most {
		return n
	}
	f.refuse(name, "must be a whole number from %d to %d, is: %v", least, most, f.values[name])
	return fallback
}

func (f *fields) flag(name string) bool {
	if !f.has(name) {
		return false
	}
	flag, ok := f.values[name].(bool)
	if !ok {
		f.refuse(name, "must be true or false, is: %v", f.values[name])
	}
	return flag
}

// list reads each element with its path.
func (f *fields) list(name string, mayBeEmpty bool, item func(value any, at string)) {
	f.asked[name] = true
	value := f.values[name]
	if value == nil && mayBeEmpty {
		return
	}
	elements, ok := value.([]any)
	switch {
	case value == nil:
		f.refuse(name, "is missing")
	case !ok:
		f.refuse(name, "must be a list")
	case len(elements) == 0 && !mayBeEmpty:
		f.refuse(name, "must not be empty")
	}
	for i, element := range elements {
		item(element, f.at(name)+"["+strconv.Itoa(i)+"]")
	}
}

// texts reads texts; a plain number such as the selector 25 is one too.
func (f *fields) texts(name string, mayBeEmpty bool, good func(string) bool, mustBe string) []string {
	out := []string{}
	f.list(name, mayBeEmpty, func(value any, at string) {
		text, ok := value.(string)
		if n, isInt := value.(int); isInt {
			text, ok = strconv.Itoa(n), true
		}
		if !ok || !good(text) {
			*f.problems = append(*f.problems, api.FieldError{
				Field:   at,
				Message: fmt.Sprintf("must be %s, is: %v", mustBe, value),
			})
			return
		}
		out = append(out, text)
	})
	return out
}

func (f *fields) child(name string) *fields {
	value, ok := f.required(name)
	if !ok {
		return &fields{path: f.at(name), problems: new([]api.FieldError), asked: map[string]bool{}}
	}
	return fieldsOf(value, f.at(name), f.problems)
}

// params is a mapping of names to single values; absent: empty.
func (f *fields) params(name string) map[string]any {
	out := map[string]any{}
	if !f.has(name) {
		return out
	}
	values, ok := f.values[name].(map[string]any)
	if !ok {
		f.refuse(name, "must be a mapping of names to values")
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch values[key].(type) {
		case string, bool, int, int64, uint64, float64:
			out[key] = values[key]
		default:
			f.refuse(name+"."+key, "must be a text, a number, true or false")
		}
	}
	return out
}

func float(value any) (float64, bool) {
	switch n := value.(type) {
	case int:
		return float64(n), true
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	return 0, false
}

func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
