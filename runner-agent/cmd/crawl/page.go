package main

import (
	"io"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// page is what a crawler takes of one.
type page struct {
	title, canonical string
	links            []string // addresses on the same site, with their fragments
	ids              map[string]bool
}

// readPage reads one of an address; links are resolved against it.
func readPage(base *url.URL, body io.Reader) (page, error) {
	p := page{ids: map[string]bool{}}
	root, err := html.Parse(body)
	if err != nil {
		return p, err
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if id := attribute(n, "id"); id != "" {
			p.ids[id] = true
		}
		switch n.Data {
		case "title":
			if p.title == "" && n.FirstChild != nil { // pictures have titles of their own, later
				p.title = strings.TrimSpace(n.FirstChild.Data)
			}
		case "link":
			if attribute(n, "rel") == "canonical" {
				p.canonical = local(base, attribute(n, "href"))
			}
		case "a":
			if link := local(base, attribute(n, "href")); link != "" {
				p.links = append(p.links, link)
			}
		}
	}
	return p, nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// local is the path, query and fragment of an address on the same site; empty: it is on another, or none.
func local(base *url.URL, href string) string {
	if href == "" {
		return ""
	}
	to, err := base.Parse(href)
	if err != nil || to.Host != base.Host || to.Scheme != base.Scheme {
		return ""
	}
	path := to.EscapedPath()
	if to.RawQuery != "" {
		path += "?" + to.RawQuery
	}
	if to.Fragment != "" {
		path += "#" + to.Fragment
	}
	return path
}
