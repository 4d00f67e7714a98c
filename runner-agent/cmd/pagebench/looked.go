package main

import (
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/pages"
)

// named are pages that the site map leaves to their links.
var named = []string{"/compare", "/search?q=spring", "/schedules", "/metrics-glossary", "/sign-in"}

// looked gives one address of each kind of page: those of the pages that are loaded, those above, and of each kind in the site map
// the one in the middle.
func looked(base string, all []pages.Subject) (found []look, err error) {
	found = append(found, look{Page: "first", Address: "/"})
	kinds := map[string]bool{}
	for _, s := range all {
		if s.Skipped == "" {
			found = append(found, look{Page: s.Name, Address: s.Usual})
			kinds[kindOf(s.Usual)] = true
		}
		if s.Name == "leaderboard" {
			found = append(found, look{Page: "pareto", Address: withQuery(s.Usual, "view=pareto")})
		}
	}
	listed, err := pages.SiteMap(base)
	if err != nil {
		return nil, err
	}
	ofKind := map[string][]string{}
	var order []string
	for _, address := range slices.Concat(named, listed) {
		kind := kindOf(address)
		if ofKind[kind] == nil {
			order = append(order, kind)
		}
		ofKind[kind] = append(ofKind[kind], address)
	}
	for _, kind := range order {
		if !kinds[kind] {
			found = append(found, look{Page: kind, Address: ofKind[kind][len(ofKind[kind])/2]})
		}
	}
	return found, nil
}

func withQuery(address, query string) string {
	path, _, _ := strings.Cut(address, "?")
	return path + "?" + query
}

// kindOf is an address with stars for the names in it: /runs/*, /w/*/machines/*.
func kindOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for i := range parts {
		if i > 0 && !(parts[0] == "w" && i == 2) {
			parts[i] = "*"
		}
	}
	return "/" + strings.Join(parts, "/")
}

// copies writes each page's document into a folder that the service serves, and names the copies.
func copies(base, files string, all []look) error {
	for i, l := range all {
		body, status, err := pages.Get(base + l.Address)
		if err != nil {
			return err
		}
		if status != http.StatusOK {
			return fmt.Errorf("%s answers %d", l.Address, status)
		}
		all[i].copy = fmt.Sprintf("/files/look-%d.html", i)
		if err := os.WriteFile(filepath.Join(files, path.Base(all[i].copy)), body, 0o644); err != nil {
			return err
		}
	}
	return nil
}
