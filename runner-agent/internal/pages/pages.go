// Package pages knows the service's pages that have a promise of their speed, and asks a service which addresses of them it has.
package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Page is one of the pages that have a promise, and where its addresses come from.
type Page struct {
	Name string
	path string // what its addresses begin with
	// targets makes addresses of what the service's own twins say; each is a different
	// scenario, series or comparison.
	targets func(Content) []string
}

// Content is what the leaderboard, the list of builds and the list of regressions name.
type Content struct {
	boards                   []string // pages of the leaderboard
	series, builds, machines []string
	changedOn, changedBy     []string // machines and builds that changes are listed of
	trials                   []string // of the runs on the leaderboard
}

// headlines are the metrics whose histories are read.
var headlines = []string{"response_excess_p50_ms", "response_excess_p99_ms", "cpu_us_per_request", "rss_mib"}

var all = []Page{
	{"leaderboard", "/leaderboard/", func(k Content) []string {
		var all []string
		for _, board := range k.boards {
			filters := []string{"", "page=2", "jdk=28", "model=virtual-threads", "model=platform-threads"}
			for _, machine := range k.machines {
				filters = append(filters, "machine="+url.QueryEscape(machine))
			}
			for _, filter := range filters {
				for _, sort := range []string{"", "&sort=response_p50_ms", "&sort=rss_mib",
					"&sort=cpu_us_per_request"} {
					all = append(all, board+"?"+filter+sort)
				}
			}
		}
		return all
	}},
	{"compare", "/compare", func(k Content) []string {
		var all []string
		for i, a := range k.builds {
			for _, b := range k.builds[i+1:] {
				all = append(all, "/compare?a="+url.QueryEscape(b)+"&b="+url.QueryEscape(a))
			}
		}
		return all
	}},
	{"history", "/series/", func(k Content) []string {
		var all []string
		for _, s := range k.series {
			all = append(all, "/series/"+s)
		}
		return all
	}},
	{"regressions", "/regressions", func(k Content) []string {
		var all []string
		for _, state := range []string{"", "open", "suspect", "improvement", "cleared"} {
			all = append(all, "/regressions?state="+state)
			for _, machine := range k.changedOn {
				all = append(all, "/regressions?state="+state+"&machine="+url.QueryEscape(machine))
			}
		}
		for _, build := range k.changedBy {
			all = append(all, "/regressions?jdk="+url.QueryEscape(build))
		}
		return all
	}},
	{"trial", "/trials/", func(k Content) []string {
		var all []string
		for _, id := range k.trials {
			all = append(all, "/trials/"+id)
		}
		return all
	}},
}

// Discover asks the service what there is to look at.
func Discover(base string) (Content, error) {
	var k Content
	board, err := Twin(base + "/leaderboard.json?jdk=all")
	if err != nil {
		return k, err
	}
	builds, err := Twin(base + "/jdks.json")
	if err != nil {
		return k, err
	}
	changes, err := Twin(base + "/regressions.json")
	if err != nil {
		return k, err
	}
	Walk(changes, func(key string, value any) {
		member, ok := value.(map[string]any)
		if machine, is := member["machine"].(string); ok && is && key == "cell" {
			k.changedOn = append(k.changedOn, machine)
		}
		if slug, is := member["slug"].(string); ok && is && key == "build" {
			k.changedBy = append(k.changedBy, slug)
		}
	})
	var runs []string
	Walk(board, func(key string, value any) {
		if id, ok := value.(string); ok && key == "run" && !slices.Contains(runs, id) {
			runs = append(runs, id)
		}
		if text, ok := value.(string); ok && key == "page" {
			k.boards = append(k.boards, text)
		}
		if text, ok := value.(string); ok && key == "machine" {
			k.machines = append(k.machines, text)
		}
		if readings, ok := value.(map[string]any); ok && key == "readings" {
			for _, metric := range headlines {
				if reading, ok := readings[metric].(map[string]any); ok {
					if id, ok := reading["series"].(string); ok {
						k.series = append(k.series, id)
					}
				}
			}
		}
	})
	Walk(builds, func(key string, value any) {
		if build, ok := value.(map[string]any); ok && build["results"] != float64(0) && build["slug"] != nil &&
			build["runtimeVersion"] != nil {
			k.builds = append(k.builds, build["slug"].(string))
		}
	})
	if k.trials, err = trials(base, runs); err != nil {
		return k, err
	}
	for _, list := range []*[]string{&k.boards, &k.series, &k.builds, &k.machines, &k.changedOn, &k.changedBy} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if len(k.boards) == 0 {
		return k, fmt.Errorf("%s has no results to look at: fill its database first (make fill)", base)
	}
	return k, nil
}

// enoughTrials are as many as a bench asks for.
const enoughTrials = 300

func trials(base string, runs []string) (found []string, err error) {
	for _, id := range runs {
		run, err := Twin(base + "/runs/" + id + ".json")
		if err != nil {
			return nil, err
		}
		Walk(run, func(key string, value any) {
			if id, ok := value.(string); ok && key == "id" && strings.HasPrefix(id, "trl_") && len(found) < enoughTrials {
				found = append(found, id)
			}
		})
		if len(found) == enoughTrials {
			break
		}
	}
	return found, nil
}

// Walk visits every member of every object, and every element of an array under the array's key.
func Walk(value any, visit func(key string, value any)) {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			visit(key, member)
			Walk(member, visit)
		}
	case []any:
		for _, element := range v {
			visit("", element)
			Walk(element, visit)
		}
	}
}

// Twin is the JSON at an address.
func Twin(address string) (any, error) {
	body, status, err := Get(address)
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("%s answers %d", address, status)
	}
	var value any
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&value); err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return value, nil
}

// Get gives the body and the status of an answer.
func Get(address string) ([]byte, int, error) {
	answer, err := http.Get(address)
	if err != nil {
		return nil, 0, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return body, answer.StatusCode, err
}

// Subject is a page that this service has, with its addresses.
type Subject struct {
	Page
	Addresses []string // paths, shuffled by the seed
	Usual     string   // the address whose size is the median
	Body      []byte   // its answer
	Skipped   string   // why it is not measured
}

// Subjects asks for each address once: a page that is not there is left out and says so,
// anything else but 200 is an error.
func Subjects(ctx context.Context, base string, k Content, random *rand.Rand, most int) ([]Subject, error) {
	var found []Subject
	for _, p := range all {
		s := Subject{Page: p, Addresses: p.targets(k)}
		random.Shuffle(len(s.Addresses), func(i, j int) { s.Addresses[i], s.Addresses[j] = s.Addresses[j], s.Addresses[i] })
		s.Addresses = s.Addresses[:min(len(s.Addresses), most)]
		type answer struct {
			path string
			body []byte
		}
		var answers []answer
		for _, path := range s.Addresses {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			body, status, err := Get(base + path)
			if err != nil {
				return nil, err
			}
			if status == http.StatusNotFound && path == p.path {
				s.Skipped = "this service has no page " + path
				break
			}
			if status != http.StatusOK {
				return nil, fmt.Errorf("%s answers %d: %.200s", path, status, body)
			}
			answers = append(answers, answer{path, body})
		}
		if s.Skipped == "" && len(answers) == 0 {
			return nil, fmt.Errorf("the database gives the page %s no address", p.Name)
		}
		if s.Skipped == "" {
			slices.SortStableFunc(answers, func(a, b answer) int { return len(a.body) - len(b.body) })
			median := answers[len(answers)/2]
			s.Usual, s.Body = median.path, median.body
		}
		found = append(found, s)
	}
	return found, nil
}

// Has tells whether a request's path and query are of this page.
func (p Page) Has(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return path == p.path || strings.HasSuffix(p.path, "/") && strings.HasPrefix(path, p.path)
}
