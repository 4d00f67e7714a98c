package workload

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/document"
)

// written is a file of workloads with what it may name beside it.
func written(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{FileName: text, "ok.csv": "a,b\n1,2\n", "ragged.csv": "a,b\n1\n", "head.csv": "a b,c\n1,2\n",
		"twice.csv": "a,a\n1,2\n", "empty.csv": "a\n", "large.bin": strings.Repeat("x", mostBodyFile+1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, FileName)
}

func problemsOf(t *testing.T, text string) []string {
	t.Helper()
	_, err := Load(written(t, text))
	var p *document.Problems
	if !errors.As(err, &p) {
		t.Fatalf("error %v, want the problems of a file", err)
	}
	var all []string
	for _, one := range p.List {
		all = append(all, one.String())
	}
	return all
}

func TestLoad_lists_all_problems_at_once(t *testing.T) {
	wantAll(t, problemsOf(t, `schema: loomboard.workloads/1
workloads:
  io:
    version: 0
    method: POST
    path: /io
    params: {delayMs: [1], other: 2}
    declaredDelayParam: delay
    checks: []
  ok:
    version: 1
    method: GET
    path: /ok/{who}
    success: {status: 2xx, pattern: "("}
    checks:
      - {params: {x: null}, status: 42, minMillis: -1, wrong: 1}
`),
		"line 4, column 5: workloads.io.version must be a whole number from 1 up; it rises when the meaning of the workload changes, is: 0",
		"line 7, column 14: workloads.io.params.delayMs must be a text, a number, true or false, is: a list",
		`line 8, column 5: workloads.io.declaredDelayParam "delay" is none of the params`,
		"line 9, column 5: workloads.io.checks is missing: without a check or success a wrong answer would be measured",
		"line 10, column 3: workloads.ok names {who}, which nothing gives a value: there are no values; {{who}} stands for that text itself",
		"line 14, column 28: workloads.ok.success.pattern error parsing regexp: missing closing ): `(`",
		"line 16, column 19: workloads.ok.checks[0].params.x must be a text, a number, true or false, is: nothing",
		"line 16, column 29: workloads.ok.checks[0].status must be a status such as 302, a class such as 2xx, a range such as 200-204, or a list of these, is: 42",
		"line 16, column 41: workloads.ok.checks[0].minMillis must be a number of milliseconds, 0 or more, is: -1",
		"line 16, column 56: workloads.ok.checks[0].wrong is not a known field; known are: body, contains, json, length, minMillis, params, pattern, status")
}

// Each is the rest of a workload, and what is said of it and nothing else.
func TestLoad_says_what_is_wrong_and_where(t *testing.T) {
	for _, c := range []struct{ rest, says string }{
		{"success: {}", "column 5: workloads.x.success must be a mapping of at least one of status, length, body, contains, pattern, json, is: a mapping"},
		{"success: {status: 600}", "workloads.x.success.status must be a status such as 302"},
		{"success: {status: 3xy}", "workloads.x.success.status must be a status such as 302"},
		{"success: {status: [200, no]}", "workloads.x.success.status[1] must be a status such as 302"},
		{"success: {status: 299-200}", "workloads.x.success.status 299 to 200 is no range of HTTP statuses"},
		{"success: {length: {min: 5, max: 4}}", "workloads.x.success.length max is below min"},
		{"success: {length: -1}", "workloads.x.success.length must be the bytes of the body"},
		{"success: {json: {items: 1}}", "workloads.x.success.json \"items\" is no JSON pointer"},
		{"success: {contains: []}", "workloads.x.success.contains must be a text, or a list of texts, is: a list"},
		{"success: {status: 200}\n    headers: {Content-Length: 5}", "workloads.x.headers.Content-Length is set by the agent: leave it out"},
		{"success: {status: 200}\n    headers: {\"a b\": c}", "workloads.x.headers.a b is no name of a header"},
		{"success: {status: 200}\n    headers: {A: \"b\\nC: d\"}", "workloads.x.headers.A must be one line"},
		{"success: {status: 200}\n    headers: {cookie: a=b}\n    cookies: {c: d}", "workloads.x.headers.cookie must be left out where there are cookies"},
		{"success: {status: 200}\n    cookies: {c: \"d; e\"}", "workloads.x.cookies.c must be a name"},
		{"success: {status: 200}\n    body: {}", "workloads.x.body must be one of text, file, form or json, is: a mapping"},
		{"success: {status: 200}\n    body: {text: a, json: b}", "workloads.x.body must be one of text, file, form or json, is: a mapping"},
		{"success: {status: 200}\n    body: a", "workloads.x.body must be one of text, file, form or json, is: \"a\""},
		{"success: {status: 200}\n    body: {file: none.bin}", "workloads.x.body.file there is no file "},
		{"success: {status: 200}\n    body: {file: ../x}", "workloads.x.body.file \"../x\" must lie in the folder of this file"},
		{"success: {status: 200}\n    body: {file: large.bin}", "workloads.x.body.file large.bin has 1048577 bytes, 1048576 are the most"},
		{"success: {status: 200}\n    redirects: yes", "workloads.x.redirects must be answer (a redirect is the answer) or follow"},
		{"success: {status: 200}\n    data: {}", "workloads.x.data must have either file or ranges"},
		{"success: {status: 200}\n    data: {file: ok.csv, ranges: {a: {from: 1, to: 2}}}", "workloads.x.data must have either file or ranges"},
		{"success: {status: 200}\n    data: {file: ok.csv, rows: 2}", "workloads.x.data.rows is of ranges: a file has the rows that it has"},
		{"success: {status: 200}\n    data: {file: ragged.csv}", "workloads.x.data.file ragged.csv: record on line 2: wrong number of fields"},
		{"success: {status: 200}\n    data: {file: head.csv}", "workloads.x.data.file head.csv: its first line must name the columns"},
		{"success: {status: 200}\n    data: {file: twice.csv}", "workloads.x.data.file twice.csv: its first line must name the columns, each once"},
		{"success: {status: 200}\n    data: {file: empty.csv}", "workloads.x.data.file empty.csv: it has no row below its first line"},
		{"success: {status: 200}\n    data: {ranges: {a: {from: 2, to: 1}}}", "workloads.x.data.ranges range a: to is below from"},
		{"success: {status: 200}\n    data: {ranges: {a: {from: 1, to: 10001}}}", "workloads.x.data.ranges there are 10001 values, and at most 10000 rows: give fewer by rows"},
		{"success: {status: 200}\n    params: {a: 1}\n    data: {file: ok.csv}", "workloads.x.data {a} has another value already"},
		{"success: {status: 200}\n    setup: [{method: GET, path: /, take: {a-b: {header: X}}}]", "workloads.x.setup[0].take.a-b \"a-b\" must be letters, digits and _"},
		{"success: {status: 200}\n    setup: [{method: GET, path: /, take: {a: {header: X, cookie: Y}}}]", "workloads.x.setup[0].take.a must be one of json, pattern, header or cookie"},
		{"success: {status: 200}\n    setup: [{method: GET, path: /, take: {a: {pattern: \"(a)(b)\"}}}]", "workloads.x.setup[0].take.a.pattern must have one group at most"},
		{"success: {status: 200}\n    setup: [{method: GET, path: \"/{a}\", take: {a: {header: X}}}]", "workloads.x.setup[0] names {a}, which nothing gives a value"},
		{"success: {status: 200}\n    setup: [{method: GET}]", "workloads.x.setup[0].path is missing: a path that begins with /"},
	} {
		text := "schema: loomboard.workloads/1\nworkloads:\n  x:\n    version: 1\n    method: POST\n    path: /x\n    " + c.rest + "\n"
		got := problemsOf(t, text)
		if len(got) != 1 || !strings.Contains(got[0], c.says) || !strings.HasPrefix(got[0], "line ") {
			t.Errorf("%s\n  says %q\n  want %q", c.rest, got, c.says)
		}
	}
}

func TestLoad_of_what_is_no_file_of_workloads(t *testing.T) {
	for says, text := range map[string]string{
		"the file is empty":                     "",
		"line 1: did not find expected node":    "a: [",
		"there is more than one document":       "schema: loomboard.workloads/1\nworkloads: {}\n---\nschema: b\n",
		"must be a mapping of names to values":  "- 1\n",
		`already defined at line 2`:             "schema: loomboard.workloads/1\nworkloads: {}\nworkloads: {}\n",
		"schema must be loomboard.workloads/1":  "schema: loomboard.workloads/2\nworkloads: {}\n",
		"lower-case words joined by hyphens":    "schema: loomboard.workloads/1\nworkloads:\n  A B: {version: 1, method: GET, path: /, success: {status: 200}}\n",
		"workloads must be a mapping of names ": "schema: loomboard.workloads/1\nworkloads:\n",
	} {
		if got := strings.Join(problemsOf(t, text), "\n"); !strings.Contains(got, says) {
			t.Errorf("%q says %s, want %q", text, got, says)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A link in an installed package must not lead to what only the agent may read.
func TestLoad_follows_no_link_out_of_its_folder(t *testing.T) {
	path := written(t, "schema: loomboard.workloads/1\nworkloads:\n  x: {version: 1, method: POST, path: /, body: {file: link}, success: {status: 200}}\n")
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(filepath.Dir(path), "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "workloads.x.body.file") {
		t.Errorf("%v", err)
	}
}

func TestLoad_reads_dates_as_they_are_written(t *testing.T) {
	all := loaded(t, "testdata/clinic.yaml")
	if got := all["visit"].Params["date"]; got != "2026-11-22" {
		t.Errorf("%v (%T)", got, got)
	}
}
