package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Check compares answers with what is right. It is safe for several goroutines.
type Check struct {
	right    Right
	status   [600]bool
	contains [][]byte
	pattern  *regexp.Regexp // nil: none
	json     []pointed
}

// pointed is a value and where it must stand.
type pointed struct {
	pointer string
	text    json.RawMessage
	value   any
}

// Check prepares comparisons. The error lists every pattern, pointer and range that cannot be used, each in a line that begins
// with its field.
func (r Right) Check() (*Check, error) {
	c := &Check{right: r}
	var problems []error
	for _, s := range r.Status.orDefault() {
		if s.From < 100 || s.To > 599 || s.To < s.From {
			problems = append(problems, fmt.Errorf("status: %d to %d is no range of HTTP statuses", s.From, s.To))
			continue
		}
		for code := s.From; code <= s.To; code++ {
			c.status[code] = true
		}
	}
	if l := r.Length; l != nil && (l.Min < 0 || l.Most != nil && *l.Most < l.Min) {
		problems = append(problems, errors.New("length: max is below min"))
	}
	for _, text := range r.Contains {
		c.contains = append(c.contains, []byte(text))
	}
	if r.Pattern != "" {
		var err error
		if c.pattern, err = regexp.Compile(r.Pattern); err != nil {
			problems = append(problems, fmt.Errorf("pattern: %w", err))
		}
	}
	for _, pointer := range slices.Sorted(maps.Keys(r.JSON)) {
		p := pointed{pointer: pointer, text: r.JSON[pointer]}
		var err error
		if p.value, err = parse(p.text); err != nil {
			problems = append(problems, fmt.Errorf("json: of %s: %w", pointer, err))
		}
		if !pointerForm.MatchString(pointer) {
			problems = append(problems, fmt.Errorf("json: %q is no JSON pointer, which is empty or begins with a slash: /items/0/id",
				pointer))
		}
		c.json = append(c.json, p)
	}
	return c, errors.Join(problems...)
}

// Status is whether a status is right.
func (c *Check) Status(code int) bool { return code >= 0 && code < len(c.status) && c.status[code] }

// Length is whether a body of this length is right.
func (c *Check) Length(bytes int64) bool {
	l := c.right.Length
	return l == nil || bytes >= l.Min && (l.Most == nil || bytes <= *l.Most)
}

// LooksInside is whether bodies are needed at all.
func (c *Check) LooksInside() bool {
	return c.right.Body != nil || len(c.contains) > 0 || c.pattern != nil || len(c.json) > 0
}

// Inside is the first thing that is wrong with a body, or empty. A body of more than MostBody bytes may be cut after one more.
func (c *Check) Inside(body []byte) string {
	for problem := range c.inside(body) {
		return problem
	}
	return ""
}

func (c *Check) inside(body []byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		if len(body) > MostBody {
			yield(fmt.Sprintf("the answer is longer than %d bytes, which is the most that can be looked into", MostBody))
			return
		}
		if want := c.right.Body; want != nil && string(body) != *want { // compared without a copy
			if !yield(fmt.Sprintf("answered %s, must be %s", Shown(body), Shown([]byte(*want)))) {
				return
			}
		}
		for i, text := range c.contains {
			if !bytes.Contains(body, text) && !yield(fmt.Sprintf("answered %s, must contain %q", Shown(body), c.right.Contains[i])) {
				return
			}
		}
		if c.pattern != nil && !c.pattern.Match(body) &&
			!yield(fmt.Sprintf("answered %s, must match %s", Shown(body), c.right.Pattern)) {
			return
		}
		c.insideJSON(body, yield)
	}
}

func (c *Check) insideJSON(body []byte, yield func(string) bool) {
	if len(c.json) == 0 {
		return
	}
	document, err := parse(body)
	if err != nil {
		yield(fmt.Sprintf("answered %s, must be JSON: %s", Shown(body), err))
		return
	}
	for _, p := range c.json {
		value, there := at(document, p.pointer)
		switch {
		case !there && !yield(fmt.Sprintf("answered %s, must have %s", Shown(body), p.pointer)):
			return
		case there && !same(value, p.value):
			text, err := Compact(value)
			if err != nil {
				text = []byte(err.Error())
			}
			if !yield(fmt.Sprintf("%s is %s, must be %s", p.pointer, text[:min(len(text), shownBody)], p.text)) {
				return
			}
		}
	}
}

// Problems is everything that is wrong with an answer, whose body, of the given length, may be cut as for Inside.
func (c *Check) Problems(status int, bytes int64, body []byte) []string {
	var all []string
	if !c.Status(status) {
		all = append(all, fmt.Sprintf("status %d, must be %s", status, c.right.Status))
	}
	if problem := c.WrongLength(bytes); problem != "" {
		all = append(all, problem)
	}
	if c.LooksInside() {
		all = slices.AppendSeq(all, c.inside(body))
	}
	return all
}

// WrongStatus says which one was expected.
func (c *Check) WrongStatus(status string) string {
	return fmt.Sprintf("%s, must be %s", status, c.right.Status)
}

// WrongLength is empty for one that is right.
func (c *Check) WrongLength(bytes int64) string {
	if c.Length(bytes) {
		return ""
	}
	return fmt.Sprintf("answered %d bytes, must be %s", bytes, c.right.Length)
}

// shownBody is how many bytes of a wrong answer are shown.
const shownBody = 200

// Shown is the beginning of a body, quoted.
func Shown(body []byte) string {
	text, err := Compact(string(body[:min(len(body), shownBody)]))
	if err != nil {
		return err.Error()
	}
	if len(body) > shownBody {
		return fmt.Sprintf("%s… (%d bytes)", text, len(body))
	}
	return string(text)
}

var pointerForm = regexp.MustCompile(`^(/([^~]|~[01])*)?$`)

// Find is what stands in a JSON document at a pointer (RFC 6901), a text without its quotes.
func Find(body []byte, pointer string) (string, error) {
	document, err := parse(body)
	if err != nil {
		return "", fmt.Errorf("answered %s, must be JSON: %w", Shown(body), err)
	}
	value, there := at(document, pointer)
	if !there {
		return "", fmt.Errorf("answered %s, must have %s", Shown(body), pointer)
	}
	if text, ok := value.(string); ok {
		return text, nil
	}
	text, err := Compact(value)
	return string(text), err
}

func parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // exact
	var document any
	if err := d.Decode(&document); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows its end")
	}
	return document, nil
}

func at(document any, pointer string) (any, bool) {
	if pointer == "" {
		return document, true
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for step := range strings.SplitSeq(pointer[1:], "/") {
		switch parent := document.(type) {
		case map[string]any:
			child, there := parent[unescape.Replace(step)]
			if !there {
				return nil, false
			}
			document = child
		case []any:
			i, ok := index(step)
			if !ok || i >= len(parent) {
				return nil, false
			}
			document = parent[i]
		default:
			return nil, false
		}
	}
	return document, true
}

// index is that of a pointer: digits without a leading zero.
func index(step string) (int, bool) {
	var i int
	if _, err := fmt.Sscanf(step, "%d", &i); err != nil || fmt.Sprint(i) != step || i < 0 {
		return 0, false
	}
	return i, true
}

// same compares JSON; numbers by their value, as far as they are whole or a float64 tells them apart.
func same(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && sameNumber(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	}
	return a == b
}

func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	_, aWhole := a.Int64()
	_, bWhole := b.Int64()
	x, errA := a.Float64()
	y, errB := b.Float64()
	return errA == nil && errB == nil && x == y && (aWhole != nil || bWhole != nil)
}
