package draft

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/server"
)

// schemaLine is what every server.yaml begins with.
const schemaLine = "loomboard.server/1"

// serverText is the server.yaml.
func (d *draft) serverText() string {
	var out strings.Builder
	line := func(field, format string, args ...any) {
		text := strings.Replace(field+": "+fmt.Sprintf(format, args...), ": \n", ":\n", 1) // a list stands below its name
		if why := d.why[field]; why != "" {
			text = fmt.Sprintf("# %s\n%s", why, text)
		}
		out.WriteString(text + "\n")
	}
	s := d.spec
	out.WriteString("# Written by `loomboard-agent init`: change what it got wrong. `loomboard-agent try` and this folder show whether it works.\n")
	for _, result := range d.results {
		out.WriteString("# " + result + "\n")
	}
	if why := d.why["digest"]; why != "" {
		out.WriteString("# " + why + "\n")
	}
	line("schema", "%s", schemaLine)
	line("kind", "%s", s.Kind)
	line("name", "%s", s.Name)
	line("title", "%s", quoted(s.Name))
	if s.Framework != "" {
		line("framework", "%s", quoted(s.Framework))
	}
	if s.HasJVM() {
		line("java", "%d", max(s.Java, lowestJava))
		line("build", "%s", quoted(s.Build))
	}
	if s.Artifact != "" {
		line("artifact", "%s", quoted(s.Artifact))
	}
	if s.URL != "" {
		line("url", "%s", s.URL)
	}
	if len(s.Command) > 0 {
		line("command", "%s", quoted(s.Command))
	}
	if s.WorkingFolder != "" {
		line("workingFolder", "%s", s.WorkingFolder)
	}
	if len(s.Environment) > 0 {
		line("environment", "%s", quoted(s.Environment))
	}
	if s.Port != 0 {
		line("port", "%d", s.Port)
	}
	if s.HTTP.TLS {
		line("http", "{tls: true}")
	}
	if len(s.Database) > 0 {
		line("database", "%s", quoted(s.Database))
	}
	if s.Readiness.Path != "" {
		line("readiness", "{path: %s}", s.Readiness.Path)
	} else {
		d.why["readiness"] = "no path answered 200: it is ready when its port is open"
		line("readiness", "{port: true}")
	}
	if s.HasJVM() {
		options := ""
		if len(s.JVM.Options) > 0 {
			options = ", options: " + quoted(s.JVM.Options)
		}
		line("jvm", "{collector: %s, heapMiB: %d%s}", s.JVM.Collector, s.JVM.HeapMiB, options)
	}
	if s.Kind != server.KindURL {
		line("variants", "%s", d.variantsText())
	}
	line("workloads", "[%s]", strings.Join(d.names(), ", "))
	return out.String()
}

// lowestJava is the lowest that a server.yaml may say.
const lowestJava = 21

func (d *draft) variantsText() string {
	var out strings.Builder
	for _, v := range d.spec.Variants {
		fmt.Fprintf(&out, "\n  - {name: %s", v.Name)
		if v.ConcurrencyModel != "" {
			fmt.Fprintf(&out, ", concurrencyModel: %s", v.ConcurrencyModel)
		}
		if len(v.Args) > 0 {
			fmt.Fprintf(&out, ", args: %s", quoted(v.Args))
		}
		out.WriteString("}")
	}
	return out.String()
}

func (d *draft) names() []string {
	var names []string
	for _, p := range d.proposals {
		names = append(names, p.name)
	}
	return names
}

// workloadsText is the workloads.yaml.
func (d *draft) workloadsText() string {
	var out strings.Builder
	from := "It describes itself nowhere that init looked, so here is one request"
	if d.source != "" {
		from = "Proposed from what it says of itself at " + d.source
	}
	out.WriteString("# " + from + ".\n# Only GETs that were answered twice. Forms, JSON, headers, sessions, data: `loomboard-agent schema workloads`, and WORKLOADS.md.\n" +
		"schema: loomboard.workloads/1\nworkloads:\n")
	for _, p := range d.proposals {
		fmt.Fprintf(&out, "  %s:\n    version: 1 # raise it when the meaning changes\n    title: %s\n    method: GET\n    path: %s\n",
			p.name, quoted("GET "+p.target), quoted(p.target))
		if d.Database != nil {
			out.WriteString("    database: true\n")
		}
		switch {
		case p.status > 299:
			fmt.Fprintf(&out, "    # This is no success: say what it is to be asked.\n    success: {status: %d}\n", p.status)
		case p.length >= 0:
			fmt.Fprintf(&out, "    success: {status: %d, length: %d} # as two answers had; body, contains, json and pattern say more\n", p.status, p.length)
		default:
			fmt.Fprintf(&out, "    success: {status: %d} # two answers differed in length; contains, json and pattern say more\n", p.status)
		}
	}
	return out.String()
}

// quoted is a value as JSON, which is YAML.
func quoted(value any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	switch v := value.(type) {
	case map[string]string:
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, name+": "+quoted(v[name]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	default:
		_ = e.Encode(value) // texts and lists of these
	}
	return strings.TrimSuffix(out.String(), "\n")
}
