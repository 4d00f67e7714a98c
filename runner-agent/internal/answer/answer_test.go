package answer

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func read(t *testing.T, text string) Right {
	t.Helper()
	var r Right
	if err := yaml.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func checked(t *testing.T, text string) *Check {
	t.Helper()
	c, err := read(t, text).Check()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCheck_of_each_kind(t *testing.T) {
	for _, c := range []struct {
		right  string
		status int
		body   string
		says   string // empty: right
	}{
		{"{}", 204, "", ""},
		{"{}", 302, "", "status 302, must be 2xx"},
		{"status: 302", 302, "", ""},
		{"status: 302", 200, "", "status 200, must be 302"},
		{"status: [200-204, 3xx, 404]", 399, "", ""},
		{"status: [200-204, 3xx, 404]", 205, "", "status 205, must be 200-204, 3xx, 404"},
		{"length: 2", 200, "ok", ""},
		{"length: 2", 200, "oke", "answered 3 bytes, must be 2 bytes"},
		{"length: {min: 3}", 200, "ok", "answered 2 bytes, must be 3 bytes or more"},
		{"length: {max: 1}", 200, "ok", "answered 2 bytes, must be 0 to 1 bytes"},
		{"body: ok", 200, "ok", ""},
		{`body: ""`, 200, "ok", `answered "ok", must be ""`},
		{"contains: [a, <b>]", 200, "a<b>", ""},
		{"contains: [a, <b>]", 200, "a", `answered "a", must contain "<b>"`},
		{`pattern: ^id=\d+$`, 200, "id=12", ""},
		{`pattern: ^id=\d+$`, 200, "id=", `must match ^id=\d+$`},
		{"json: {/a/0/b: 1, /c~1d: null}", 200, `{"a":[{"b":1.0}],"c/d":null}`, ""},
		{"json: {'': [1, {a: x}]}", 200, `[1,{"a":"x"}]`, ""},
		{"json: {/a: 9007199254740993}", 200, `{"a":9007199254740992}`, "/a is 9007199254740992, must be 9007199254740993"},
		{"json: {/a/1: 1}", 200, `{"a":[1]}`, "must have /a/1"},
		{"json: {/a: 1}", 200, `{"a":"1"}`, `/a is "1", must be 1`},
		{"json: {/a: 1}", 200, `<html>`, "must be JSON: invalid character"},
		{"json: {/a: 1}", 200, `{"a":1}{"a":2}`, "must be JSON: something follows its end"},
	} {
		check := checked(t, c.right)
		got := strings.Join(check.Problems(c.status, int64(len(c.body)), []byte(c.body)), "; ")
		if c.says == "" && got != "" || !strings.Contains(got, c.says) {
			t.Errorf("%s of %d %q says %q, want %q", c.right, c.status, c.body, got, c.says)
		}
	}
}

func TestCheck_lists_every_problem(t *testing.T) {
	check := checked(t, "{status: 200, length: 1, body: a, contains: b, pattern: c, json: {/d: 1, /e: 2}}")
	if got := check.Problems(500, 2, []byte("{}")); len(got) != 7 {
		t.Errorf("%d problems: %q", len(got), got)
	}
	if got := check.Inside([]byte("{}")); got != `answered "{}", must be "a"` {
		t.Errorf("the first is %q", got)
	}
}

func TestCheck_of_a_body_that_is_too_long(t *testing.T) {
	check := checked(t, "contains: a")
	if got := check.Inside([]byte(strings.Repeat("a", MostBody))); got != "" {
		t.Error(got)
	}
	if got := check.Inside([]byte(strings.Repeat("a", MostBody+1))); !strings.Contains(got, "longer than 1048576 bytes") {
		t.Error(got)
	}
}

func TestCheck_refuses_what_cannot_be_compared(t *testing.T) {
	for _, text := range []string{"status: 299-200", "length: {min: 2, max: 1}", "pattern: (", "json: {a: 1}", "json: {/~2: 1}"} {
		if _, err := read(t, text).Check(); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// The load process gets it as JSON.
func TestRight_survives_JSON(t *testing.T) {
	was := read(t, "{status: [2xx, 302], length: {min: 0, max: 9}, body: '', contains: a, pattern: b, json: {/a: 9007199254740993}}")
	text, err := json.Marshal(was)
	if err != nil {
		t.Fatal(err)
	}
	var is Right
	if err := json.Unmarshal(text, &is); err != nil || !reflect.DeepEqual(is, was) {
		t.Errorf("%s: %+v, %v", text, is, err)
	}
}

// What is asked of every hit must cost the load process nothing that it has to collect.
func TestCheck_of_status_and_length_allocates_nothing(t *testing.T) {
	check := checked(t, "{status: [200, 302], length: {min: 1}}")
	if n := testing.AllocsPerRun(100, func() {
		if !check.Status(302) || !check.Length(5) {
			t.Fatal("wrong")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestFind_gives_texts_and_numbers_as_they_are(t *testing.T) {
	for pointer, want := range map[string]string{"/id": "9007199254740993", "/name": "a", "/list": "[1,2]", "/list/1": "2"} {
		if got, err := Find([]byte(`{"id":9007199254740993,"name":"a","list":[1,2]}`), pointer); err != nil || got != want {
			t.Errorf("%s: %q %v", pointer, got, err)
		}
	}
	for _, pointer := range []string{"/none", "/list/2", "/list/01", "/list/-", "/name/a"} {
		if got, err := Find([]byte(`{"name":"a","list":[1,2]}`), pointer); err == nil {
			t.Errorf("%s: %q", pointer, got)
		}
	}
}

func TestShown_cuts_a_long_body(t *testing.T) {
	if got := Shown(make([]byte, 3000)); len(got) > 1500 {
		t.Errorf("%d bytes", len(got))
	}
}
