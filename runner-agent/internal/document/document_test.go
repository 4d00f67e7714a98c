package document

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const tinySchema = `{"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
	"name": {"type": "string", "description": "a text"},
	"list": {"type": "array", "items": {"type": "object", "required": ["at"], "properties": {"at": {"type": "integer", "description": "a whole number"}}}},
	"way": {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "description": "one of a and b"}}}`

func reading(t *testing.T, text string) (*Document, map[string]any) {
	t.Helper()
	schema, err := NewSchema("tiny.schema.json", []byte(tinySchema))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tiny.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var into map[string]any
	d, err := Read(path, schema, &into)
	if err != nil {
		t.Fatal(err)
	}
	return d, into
}

func said(err error) string {
	var p *Problems
	if !errors.As(err, &p) {
		return ""
	}
	var all []string
	for _, one := range p.List {
		all = append(all, one.String())
	}
	return strings.Join(all, "\n")
}

func TestRead_places_problems_through_aliases_and_merges(t *testing.T) {
	d, _ := reading(t, "name: a\nlist:\n  - &first\n    at: x\n  - *first\n  - <<: *first\n    other: 1\n  - {}\n")
	want := "line 4, column 5: list[0].at must be a whole number, is: \"x\"\n" +
		"line 4, column 5: list[1].at must be a whole number, is: \"x\"\n" +
		"line 4, column 5: list[2].at must be a whole number, is: \"x\"\n" +
		"line 8, column 5: list[3].at is missing: a whole number"
	if got := said(d.Err()); got != want {
		t.Errorf("says\n%s\nwant\n%s", got, want)
	}
}

func TestRead_says_what_there_is_to_choose(t *testing.T) {
	for _, way := range []string{"{}", "{a: 1, b: 2}"} {
		d, _ := reading(t, "name: x\nway: "+way+"\n")
		if got := said(d.Err()); got != "line 2, column 1: way must be one of a and b, is: a mapping" {
			t.Errorf("%s: %s", way, got)
		}
	}
}

func TestAddf_leaves_out_what_follows_from_what_cannot_be_read(t *testing.T) {
	d, _ := reading(t, "name: [x]\nlist: [{at: 1}]\n")
	d.Addf(Field{"name"}, "is too short")
	d.Addf(Field{"name", "first"}, "is too short")
	d.Addf(Field{"list", 0, "at"}, "is too small")
	d.Addf(Field{"names"}, "are missing")
	want := "line 1, column 1: name must be a text, is: a list\nline 1, column 1: names are missing\nline 2, column 9: list[0].at is too small"
	if got := said(d.Err()); got != want {
		t.Errorf("says\n%s\nwant\n%s", got, want)
	}
}

// An alias of an alias of an alias … takes memory without end.
func TestRead_refuses_aliases_that_multiply(t *testing.T) {
	text := "name: a\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		before := "*a" + string(rune('0'+i-1))
		text += "a" + string(rune('0'+i)) + ": &a" + string(rune('0'+i)) + " [" + strings.Repeat(before+", ", 9) + before + "]\n"
	}
	d, _ := reading(t, text)
	if got := said(d.Err()); !strings.Contains(got, "excessive aliasing") {
		t.Errorf("%.300s", got)
	}
}

func TestRead_keeps_dates_and_large_numbers(t *testing.T) {
	d, into := reading(t, "name: 2026-11-22\nlist: [{at: 4611686018427387904}]\n")
	list, _ := into["list"].([]any)
	if d.Err() != nil || into["name"] != "2026-11-22" || len(list) != 1 || list[0].(map[string]any)["at"] != 4611686018427387904 {
		t.Errorf("%v %v", into, d.Err())
	}
}
