package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// browser is one without scripts, whose user finds things by what they are called. It counts what the user does.
type browser struct {
	http           http.Client
	at             *url.URL
	page           *html.Node
	clicks, copies int
}

func newBrowser() (*browser, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &browser{http: http.Client{Jar: jar, Timeout: time.Minute}}, nil
}

// open types an address, or looks at the page again.
func (b *browser) open(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	return b.send(request)
}

// again loads the page again, as pages that wait for something do by themselves.
func (b *browser) again(ctx context.Context) error { return b.open(ctx, b.at.String()) }

// follow clicks on the first link that begins with these words.
func (b *browser) follow(ctx context.Context, words string) error {
	link := find(b.page, func(n *html.Node) bool { return n.DataAtom == atom.A && strings.HasPrefix(text(n), words) })
	if link == nil {
		return b.missing("no link", words)
	}
	to, err := b.at.Parse(attribute(link, "href"))
	if err != nil {
		return err
	}
	b.clicks++
	fmt.Printf("  click %d: %s\n", b.clicks, words)
	return b.open(ctx, to.String())
}

// press fills fields, by how their labels begin, of the form that has a button, and clicks on that.
func (b *browser) press(ctx context.Context, button string, fields map[string]string) error {
	form := find(b.page, func(n *html.Node) bool {
		return n.DataAtom == atom.Form && find(n, func(in *html.Node) bool { return in.DataAtom == atom.Button && text(in) == button }) != nil
	})
	if form == nil {
		return b.missing("no button", button)
	}
	values := filled(form)
	for label, value := range fields {
		named := find(form, func(n *html.Node) bool { return n.DataAtom == atom.Label && strings.HasPrefix(text(n), label) })
		if named == nil {
			return b.missing("no field", label)
		}
		id := attribute(named, "for")
		field := find(form, func(n *html.Node) bool { return attribute(n, "id") == id })
		if id == "" || field == nil {
			return b.missing("no field for the label", label)
		}
		values.Set(attribute(field, "name"), value)
	}
	to, err := b.at.Parse(attribute(form, "action"))
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), strings.NewReader(values.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	b.clicks++
	fmt.Printf("  click %d: [%s]\n", b.clicks, button)
	return b.send(request)
}

// copied clicks on the Copy button of a line and gives the line.
func (b *browser) copied(label string) (string, error) {
	group := find(b.page, func(n *html.Node) bool { return attribute(n, "role") == "group" && attribute(n, "aria-label") == label })
	if group == nil {
		return "", b.missing("no line to copy", label)
	}
	code := find(group, func(n *html.Node) bool { return n.DataAtom == atom.Code })
	if code == nil {
		return "", b.missing("nothing to copy in", label)
	}
	b.copies++
	return content(code), nil
}

// row is the first row of a table, by the name of its region; nil: none yet.
func (b *browser) row(region string) *html.Node {
	table := find(b.page, func(n *html.Node) bool {
		return attribute(n, "role") == "region" && attribute(n, "aria-label") == region
	})
	if table == nil {
		return nil
	}
	body := find(table, func(n *html.Node) bool { return n.DataAtom == atom.Tbody })
	if body == nil {
		return nil
	}
	return find(body, func(n *html.Node) bool { return n.DataAtom == atom.Tr })
}

// says tells whether the words are on the page.
func (b *browser) says(words string) bool { return strings.Contains(b.text(), words) }

// text is what stands on the page, but for what is around it on each.
func (b *browser) text() string {
	main := find(b.page, func(n *html.Node) bool { return n.DataAtom == atom.Main })
	if main == nil {
		main = b.page
	}
	return text(main)
}

func (b *browser) missing(what, words string) error {
	return fmt.Errorf("there is %s %q on %s, which says: %s", what, words, b.at.Path, b.text())
}

// errRefused is an answer that is a page, which says why.
var errRefused = errors.New("refused")

func (b *browser) send(request *http.Request) error {
	answer, err := b.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	page, err := html.Parse(io.LimitReader(answer.Body, 4<<20))
	if err != nil {
		return err
	}
	b.page, b.at = page, answer.Request.URL
	if answer.StatusCode != http.StatusOK {
		problem := find(page, func(n *html.Node) bool {
			return attribute(n, "role") == "alert" || strings.HasSuffix(attribute(n, "id"), "-problem")
		})
		said := b.text()
		if problem != nil {
			said = text(problem)
		}
		return fmt.Errorf("%s %s: %w (%s): %s", request.Method, request.URL.Path, errRefused, answer.Status, said)
	}
	return nil
}

// filled is what a form sends as it is.
func filled(form *html.Node) url.Values {
	values := url.Values{}
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if name == "" {
			continue
		}
		switch n.DataAtom {
		case atom.Input:
			kind := attribute(n, "type")
			if kind == "checkbox" || kind == "radio" {
				if has(n, "checked") {
					values.Set(name, cmp.Or(attribute(n, "value"), "on"))
				}
				continue
			}
			values.Set(name, attribute(n, "value"))
		case atom.Textarea:
			values.Set(name, content(n))
		case atom.Select:
			if option := chosen(n); option != nil {
				values.Set(name, attribute(option, "value"))
			}
		}
	}
	return values
}

// chosen is the option that is selected, else the first.
func chosen(list *html.Node) *html.Node {
	if option := find(list, func(n *html.Node) bool { return n.DataAtom == atom.Option && has(n, "selected") }); option != nil {
		return option
	}
	return find(list, func(n *html.Node) bool { return n.DataAtom == atom.Option })
}

func find(in *html.Node, wanted func(*html.Node) bool) *html.Node {
	for n := range in.Descendants() {
		if n.Type == html.ElementNode && wanted(n) {
			return n
		}
	}
	return nil
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// content is the text in a node as it is written.
func content(n *html.Node) string {
	var all strings.Builder
	for in := range n.Descendants() {
		if in.Type == html.TextNode {
			all.WriteString(in.Data)
		}
	}
	return all.String()
}

// text is the same as people read it.
func text(n *html.Node) string { return strings.Join(strings.Fields(content(n)), " ") }
