package draft

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"loomboard.dev/agent/internal/load"
)

const (
	askWithin     = 5 * time.Second
	mostAnswer    = 4 << 20 // bytes of a description
	mostProposals = 8
	mostTried     = 60 // of paths: an application may describe thousands
)

// proposal is a request that an application answered well, twice.
type proposal struct {
	name, target string // target: path and query
	status       int
	length       int64 // -1: two answers differed
}

// descriptions are where applications say what they offer, and who reads that.
var descriptions = []struct {
	path string
	read func([]byte) ([]string, error)
}{
	{"/v3/api-docs", openAPI}, {"/openapi.json", openAPI}, {"/q/openapi?format=json", openAPI}, {"/openapi", openAPI}, {"/swagger.json", openAPI},
	{mappingsPath, springMappings},
}

// mappingsPath tells paths without the one beneath which the application lies.
const mappingsPath = "/actuator/mappings"

// propose asks what an application offers, and keeps what it answers well. Where it describes nothing, that is the path that is given.
func propose(ctx context.Context, base, path string) (found []proposal, source string) {
	client := newClient()
	defer client.CloseIdleConnections()
	ask := func(target string) (int, []byte) { return get(ctx, client, base+target) }
	beneath := beneath(path)
	for _, d := range descriptions {
		status, text := ask(beneath + d.path)
		if status != http.StatusOK {
			continue
		}
		targets, err := d.read(text)
		if err != nil {
			continue
		}
		for i := range targets {
			targets[i] = map[bool]string{true: beneath}[d.path == mappingsPath] + targets[i]
		}
		if found = answered(targets, ask); len(found) > 0 {
			return found, beneath + d.path
		}
	}
	target := cmp.Or(path, "/")
	if found = answered([]string{target}, ask); len(found) > 0 {
		return found, ""
	}
	if to := redirectedTo(ctx, client, base+target); to != "" {
		if found = answered([]string{to}, ask); len(found) > 0 {
			return found, ""
		}
	}
	status, _ := ask(target)
	return []proposal{{name: named(target), target: target, status: status, length: -1}}, ""
}

// beneath is the path before those of an application that lies at it, so empty for /.
func beneath(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return strings.TrimSuffix(path, "/")
}

// newClient takes a redirect for an answer.
func newClient() *http.Client {
	return &http.Client{Timeout: askWithin, Transport: load.Address{}.Transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// answered keeps targets whose answers are good, at most mostProposals.
func answered(targets []string, ask func(string) (int, []byte)) []proposal {
	var found []proposal
	for _, target := range targets[:min(len(targets), mostTried)] {
		status, first := ask(target)
		again, second := ask(target)
		if status < 200 || status > 299 || again != status {
			continue
		}
		p := proposal{name: named(target), target: target, status: status, length: -1}
		if len(first) == len(second) && len(first) < mostAnswer {
			p.length = int64(len(first))
		}
		for n := 2; slices.ContainsFunc(found, func(other proposal) bool { return other.name == p.name }); n++ {
			p.name = fmt.Sprintf("%s-%d", named(target), n)
		}
		if found = append(found, p); len(found) == mostProposals {
			break
		}
	}
	return found
}

// named is a path as the name of a workload.
func named(target string) string {
	path, _, _ := strings.Cut(target, "?")
	return cmp.Or(strings.Trim(notSlug.ReplaceAllString(strings.ToLower(path), "-"), "-"), "index")
}

// redirectedTo is the target on the same server to which an address leads; empty: none.
func redirectedTo(ctx context.Context, client *http.Client, address string) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return ""
	}
	res, err := client.Do(req)
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	to, err := res.Location()
	if err != nil || to.Host != req.URL.Host || to.Scheme != req.URL.Scheme {
		return ""
	}
	return to.RequestURI()
}

// get is 0 for no answer.
func get(ctx context.Context, client *http.Client, address string) (status int, body []byte) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, nil
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	if body, err = io.ReadAll(io.LimitReader(res.Body, mostAnswer)); err != nil {
		return 0, nil
	}
	return res.StatusCode, body
}

// description is what is used of an OpenAPI document, and of its forerunner Swagger.
type description struct {
	BasePath string `yaml:"basePath"`
	Servers  []struct {
		URL string `yaml:"url"`
	} `yaml:"servers"`
	Paths map[string]struct {
		Get        *struct{ Parameters []parameter } `yaml:"get"`
		Parameters []parameter                       `yaml:"parameters"`
	} `yaml:"paths"`
	Parameters map[string]parameter `yaml:"parameters"`
	Components struct {
		Parameters map[string]parameter `yaml:"parameters"`
	} `yaml:"components"`
}

type parameter struct {
	Ref      string `yaml:"$ref"`
	Name     string `yaml:"name"`
	In       string `yaml:"in"`
	Required bool   `yaml:"required"`
	values   `yaml:",inline"`
	Schema   values `yaml:"schema"`
}

// values are those that a document gives, and of which type they are.
type values struct {
	Type    any   `yaml:"type"`
	Example any   `yaml:"example"`
	Default any   `yaml:"default"`
	Enum    []any `yaml:"enum"`
}

// value is one that is given, else a number where one is wanted; empty: none is known.
func (v values) value() string {
	switch {
	case v.Example != nil:
		return fmt.Sprint(v.Example)
	case v.Default != nil:
		return fmt.Sprint(v.Default)
	case len(v.Enum) > 0:
		return fmt.Sprint(v.Enum[0])
	case v.Type == "integer" || v.Type == "number":
		return "1"
	}
	return ""
}

// openAPI gives the targets of a document's GETs whose values are known. What changes something is not called.
func openAPI(text []byte) ([]string, error) {
	var doc description
	compact := &bytes.Buffer{}
	if json.Compact(compact, text) == nil { // JSON is YAML, but for tabs
		text = compact.Bytes()
	}
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	base := doc.BasePath
	if len(doc.Servers) > 0 {
		if u, err := url.Parse(doc.Servers[0].URL); err == nil {
			base = u.Path
		}
	}
	var targets []string
	for path, item := range doc.Paths {
		if item.Get == nil {
			continue
		}
		query, known := url.Values{}, true
		for _, p := range slices.Concat(item.Parameters, item.Get.Parameters) {
			p = doc.resolved(p)
			value := cmp.Or(p.value(), p.Schema.value())
			switch {
			case p.In == "path" && value != "":
				path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
			case p.In == "query" && p.Required && value != "":
				query.Set(p.Name, value)
			case p.Required:
				known = false
			}
		}
		if !known || strings.ContainsAny(path, "{}#") {
			continue
		}
		target := strings.TrimSuffix(base, "/") + path
		if len(query) > 0 {
			target += "?" + query.Encode()
		}
		targets = append(targets, target)
	}
	slices.Sort(targets)
	return targets, nil
}

func (d description) resolved(p parameter) parameter {
	name := p.Ref[strings.LastIndex(p.Ref, "/")+1:]
	if found, ok := d.Components.Parameters[name]; ok && p.Ref != "" {
		return found
	}
	if found, ok := d.Parameters[name]; ok && p.Ref != "" {
		return found
	}
	return p
}

var variableForm = regexp.MustCompile(`\{[A-Za-z0-9_]+\}`)

// springMappings gives the targets of an application's own GETs; a number is tried where a path has a variable.
func springMappings(text []byte) ([]string, error) {
	type mapping struct {
		Details *struct {
			Conditions struct {
				Methods  []string
				Patterns []string
			} `json:"requestMappingConditions"`
		}
	}
	var doc struct {
		Contexts map[string]struct {
			Mappings struct {
				Servlets map[string][]mapping `json:"dispatcherServlets"`
				Handlers map[string][]mapping `json:"dispatcherHandlers"`
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	var targets []string
	add := func(all map[string][]mapping) {
		for _, m := range slices.Concat(slices.Collect(maps.Values(all))...) {
			if m.Details == nil {
				continue
			}
			if c := m.Details.Conditions; len(c.Methods) == 0 || slices.Contains(c.Methods, http.MethodGet) {
				targets = append(targets, c.Patterns...)
			}
		}
	}
	for _, one := range doc.Contexts {
		add(one.Mappings.Servlets)
		add(one.Mappings.Handlers)
	}
	for i := range targets {
		targets[i] = variableForm.ReplaceAllString(targets[i], "1")
	}
	targets = slices.DeleteFunc(targets, func(target string) bool {
		return !strings.HasPrefix(target, "/") || strings.ContainsAny(target, "{}*#") || target == "/error" || strings.HasPrefix(target, "/actuator")
	})
	slices.Sort(targets)
	return slices.Compact(targets), nil
}
