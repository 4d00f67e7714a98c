package workload

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/answer"
	"loomboard.dev/agent/internal/load"
)

// Request is one that a hit sends.
type Request struct {
	Method string
	Target string            // path and query
	Header map[string]string // nil: none
	Body   []byte
}

// requests are what the hits of an operation send: one for each row of the data if its texts name a column, else a single one.
// Parameters overlay the workload's own and, by name, its data's columns; taken is what its setup took.
func (s Spec) requests(p Part, params map[string]any, taken map[string]string) ([]Request, error) {
	rows := 1
	if s.Data != nil && p.namesAny(s.Data.columns) {
		rows = len(s.Data.table)
	}
	given := s.merged(params)
	rest := s.unnamed(given)
	var out []Request
	for k := range rows {
		r, err := p.request(s.values(k, given, taken), rest)
		if err != nil {
			return nil, fmt.Errorf("workload %s: %w", s.where(p), err)
		}
		out = append(out, r)
	}
	return out, nil
}

// first is the request of an operation's first hit.
func (s Spec) first(p Part, params map[string]any, taken map[string]string) (Request, error) {
	given := s.merged(params)
	return p.request(s.values(0, given, taken), s.unnamed(given))
}

// values are what texts name in the requests of a row.
func (s Spec) values(row int, given map[string]any, taken map[string]string) values {
	all := values{}
	if s.Data != nil {
		maps.Copy(all, s.Data.table[row])
	}
	for name, text := range taken {
		all[name] = text
	}
	maps.Copy(all, given)
	return all
}

// unnamed are the parameters that no text of the workload's operations names: each sends them in its query string.
func (s Spec) unnamed(given map[string]any) map[string]any {
	rest := maps.Clone(given)
	for _, p := range s.parts() {
		for _, name := range p.names() {
			delete(rest, name)
		}
	}
	return rest
}

// Target is what the hits of a load send to a server.
func (s Spec) Target(base string, params map[string]any, taken map[string]string) (load.Target, error) {
	base = strings.TrimSuffix(base, "/")
	if s.IsMix() {
		return s.mixed(base, params, taken)
	}
	requests, err := s.requests(s.parts()[0], params, taken)
	if err != nil {
		return load.Target{}, err
	}
	first := requests[0]
	target := load.Target{
		Method: first.Method,
		URL:    base + first.Target,
		Header: first.Header,
		Body:   first.Body,
		Follow: s.Follows(),
	}
	if len(requests) > 1 {
		target.Rows = rows(requests)
	}
	return target, nil
}

func rows(requests []Request) []load.Row {
	var out []load.Row
	for _, r := range requests {
		out = append(out, load.Row{Path: r.Target, Header: r.Header, Body: r.Body})
	}
	return out
}

// Stand stands for what a setup will take, before there is a server to take it from.
func (s Spec) Stand() map[string]string {
	taken := map[string]string{}
	for _, step := range s.Setup {
		for name := range step.Take {
			taken[name] = "0"
		}
	}
	return taken
}

// request has the values where texts name them, and the rest in the query string.
func (o Operation) request(all values, rest map[string]any) (Request, error) {
	r := Request{Method: o.Method}
	var err error
	if r.Target, err = o.target(all, rest); err != nil {
		return r, err
	}
	if r.Header, err = o.header(all); err != nil {
		return r, err
	}
	if o.Body != nil {
		r.Body, err = o.Body.bytes(all)
	}
	return r, err
}

// target is path and query, the query sorted by name.
func (o Operation) target(all values, rest map[string]any) (string, error) {
	target, err := all.fill(o.Path, url.PathEscape)
	if err != nil {
		return "", fmt.Errorf("path: %w", err)
	}
	query := url.Values{}
	for name, value := range rest {
		text, err := textOf(value)
		if err != nil {
			return "", fmt.Errorf("parameter %s: %w", name, err)
		}
		query.Set(name, text)
	}
	given, err := all.fillAll(o.Query)
	if err != nil {
		return "", fmt.Errorf("query: %w", err)
	}
	for name, text := range given {
		query.Set(name, text)
	}
	if len(query) == 0 {
		return target, nil
	}
	if strings.Contains(target, "?") {
		return target + "&" + query.Encode(), nil
	}
	return target + "?" + query.Encode(), nil
}

// header has the type of the body, unless it is named, and the cookies.
func (o Operation) header(all values) (map[string]string, error) {
	header, err := all.fillAll(o.Headers)
	if err != nil {
		return nil, fmt.Errorf("headers: %w", err)
	}
	if kind := o.Body.contentType(); kind != "" && !o.hasHeader("Content-Type") {
		header["Content-Type"] = kind
	}
	cookies, err := all.fillAll(o.Cookies)
	if err != nil {
		return nil, fmt.Errorf("cookies: %w", err)
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(cookies)) {
		pairs = append(pairs, name+"="+cookies[name])
	}
	if len(pairs) > 0 {
		header["Cookie"] = strings.Join(pairs, "; ")
	}
	for name, value := range header {
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, fmt.Errorf("header %s: its value has a line break or a NUL", name)
		}
	}
	if len(header) == 0 {
		return nil, nil
	}
	return header, nil
}

func (o Operation) hasHeader(name string) bool {
	for given := range o.Headers {
		if strings.EqualFold(given, name) {
			return true
		}
	}
	return false
}

// contentType is empty for no body.
func (b *Body) contentType() string {
	switch {
	case b == nil:
		return ""
	case b.Form != nil:
		return "application/x-www-form-urlencoded"
	case b.File != "":
		return "application/octet-stream"
	case b.Text != nil:
		return "text/plain; charset=utf-8"
	}
	return "application/json"
}

// bytes are what is sent. A file is sent as it is.
func (b *Body) bytes(all values) ([]byte, error) {
	switch {
	case b.Form != nil:
		form, err := all.fillAll(b.Form)
		if err != nil {
			return nil, fmt.Errorf("form: %w", err)
		}
		fields := url.Values{}
		for name, text := range form {
			fields.Set(name, text)
		}
		return []byte(fields.Encode()), nil
	case b.File != "":
		return b.content, nil
	case b.Text != nil:
		text, err := all.fill(*b.Text, asItIs)
		if err != nil {
			err = fmt.Errorf("text: %w", err)
		}
		return []byte(text), err
	}
	value, err := all.fillJSON(b.JSON)
	if err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	return answer.Compact(value)
}
