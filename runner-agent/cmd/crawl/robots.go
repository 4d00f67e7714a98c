package main

import (
	"regexp"
	"strings"
)

// robots are the rules of a robots.txt for every crawler, as RFC 9309 has them: the longest that fits decides.
type robots []rule

type rule struct {
	allow   bool
	length  int
	pattern *regexp.Regexp
}

func readRobots(text string) (all robots) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		name, value, found := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		name = strings.ToLower(name)
		if !found || value == "" || name != "allow" && name != "disallow" {
			continue
		}
		all = append(all, rule{name == "allow", len(value), pattern(value)})
	}
	return all
}

func pattern(value string) *regexp.Regexp {
	end := strings.HasSuffix(value, "$")
	text := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(value, "$")), `\*`, ".*")
	if end {
		text += "$"
	}
	return regexp.MustCompile("^" + text)
}

func (r robots) allow(path string) bool {
	allowed, longest := true, 0
	for _, rule := range r {
		if rule.length > longest && rule.pattern.MatchString(path) {
			allowed, longest = rule.allow, rule.length
		}
	}
	return allowed
}
