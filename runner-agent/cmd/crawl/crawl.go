package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/pages"
)

// every is after how many pages the progress is told.
const every = 500

// site is what was found.
type site struct {
	pages   map[string]visit  // by path, as they are linked to
	kept    map[string]bool   // that robots.txt keeps crawlers from
	siteMap []string          // paths
	broken  map[string]string // what is wrong with an address, and where it stands
	targets map[string]string // links with a fragment, and a page where each stands
	known   map[string]bool   // that a link leads to
}

// visit is one page that was opened.
type visit struct {
	clicks int
	from   string // the page whose link led there first
	page
	html bool
}

// next is an address that is known.
type next struct {
	path, from string
	clicks     int
}

// crawl opens the first page and all that links lead to, the nearest first.
func crawl(ctx context.Context, base string, most int, tell func(visited, known int)) (*site, error) {
	s := &site{pages: map[string]visit{}, kept: map[string]bool{}, broken: map[string]string{}, targets: map[string]string{},
		known: map[string]bool{"/": true}}
	rules, err := text(ctx, base+"/robots.txt")
	if err != nil {
		return nil, err
	}
	allowed := readRobots(rules)
	if s.siteMap, err = pages.SiteMap(base); err != nil {
		return nil, err
	}
	for queue := []next{{path: "/"}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if len(s.pages) >= most {
			return s, nil
		}
		opened, err := s.open(ctx, base, at)
		if err != nil {
			return nil, err
		}
		if len(s.pages)%every == 0 {
			tell(len(s.pages), len(s.known))
		}
		for _, link := range opened.links {
			path, fragment, _ := strings.Cut(link, "#")
			if s.kept[path] {
				continue
			}
			if !s.known[path] {
				if !allowed.allow(path) {
					s.kept[path] = true
					continue
				}
				s.known[path] = true
				if len(s.pages)+len(queue) < 2*most { // more are not visited
					queue = append(queue, next{path, at.path, at.clicks + 1})
				}
			}
			if fragment != "" {
				s.targets[link] = at.path
			}
		}
	}
	return s, nil
}

// open visits a page. One that cannot be read is a fault of the page that leads there.
func (s *site) open(ctx context.Context, base string, at next) (page, error) {
	answer, err := get(ctx, base+at.path)
	if err != nil {
		return page{}, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		s.broken[at.path] = fmt.Sprintf("%s, on %s: status %d", at.path, at.from, answer.StatusCode)
		return page{}, nil
	}
	v := visit{clicks: at.clicks, from: at.from}
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind == "text/html" {
		address, err := url.Parse(base + at.path)
		if err != nil {
			return page{}, err
		}
		if v.page, err = readPage(address, answer.Body); err != nil {
			return page{}, fmt.Errorf("%s: %w", at.path, err)
		}
		v.html = true
	} else if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return page{}, err
	}
	s.pages[at.path] = v
	return v.page, nil
}

func text(ctx context.Context, address string) (string, error) {
	answer, err := get(ctx, address)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %d", address, answer.StatusCode)
	}
	body, err := io.ReadAll(answer.Body)
	return string(body), err
}

func get(ctx context.Context, address string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(request)
}

// depths counts pages by clicks.
func (s *site) depths() (counts []int) {
	for _, v := range s.pages {
		for len(counts) <= v.clicks {
			counts = append(counts, 0)
		}
		counts[v.clicks]++
	}
	return counts
}

// kinds counts known addresses by what they begin with: of the kind without end there would be the most.
func (s *site) kinds() map[string]int {
	counts := map[string]int{}
	for path := range s.known {
		kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		counts["/"+kind]++
	}
	return counts
}

type faultsOfAKind struct {
	what string
	all  []string
}

func (s *site) faults() []faultsOfAKind {
	return []faultsOfAKind{
		{"dead links", slices.Sorted(maps.Values(s.broken))},
		{"links to parts that are not there", s.deadParts()},
		{"pages without a title", s.untitled()},
		{"titles of several pages", s.sharedTitles()},
		{fmt.Sprintf("pages more than %d clicks away", promisedClicks), s.far()},
		{"addresses of the site map that no link leads to", s.lost()},
	}
}

func (s *site) deadParts() (all []string) {
	for link, from := range s.targets {
		path, fragment, _ := strings.Cut(link, "#")
		if v, opened := s.pages[path]; opened && v.html && !v.ids[fragment] {
			all = append(all, link+", on "+from)
		}
	}
	slices.Sort(all)
	return all
}

func (s *site) untitled() (all []string) {
	for path, v := range s.pages {
		if v.html && v.title == "" {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all
}

// sharedTitles are those of pages that differ: of one that has a canonical address elsewhere, that is told.
func (s *site) sharedTitles() (all []string) {
	paths := map[string][]string{}
	for path, v := range s.pages {
		if v.html && (v.canonical == path || v.canonical == "") {
			paths[v.title] = append(paths[v.title], path)
		}
	}
	for title, of := range paths {
		if len(of) > 1 {
			slices.Sort(of)
			all = append(all, fmt.Sprintf("%q: %d pages, such as %s", title, len(of), strings.Join(of[:2], " and ")))
		}
	}
	slices.Sort(all)
	return all
}

func (s *site) far() (all []string) {
	for path, v := range s.pages {
		if v.clicks > promisedClicks {
			all = append(all, fmt.Sprintf("%s, %d clicks, from %s", path, v.clicks, v.from))
		}
	}
	slices.Sort(all)
	return all
}

func (s *site) lost() (all []string) {
	for _, path := range s.siteMap {
		if !s.known[path] {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all
}
