package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/pages"
)

// What is promised of every page, of the board and of a trial; kB of 1000 bytes.
const (
	mostMoved = 0.02
	boardKB   = 100
	boardSeen = 400
	againKB   = 10
	trialKB   = 250
)

// visits are how often a page is opened with nothing kept, and its copy.
const visits = 3

type window struct{ width, height int64 }

var (
	screen = window{1440, 900}
	phone  = window{360, 740}
)

// look is what opening a page took.
type look struct {
	Page         string  `json:"page"`
	Address      string  `json:"address"`
	Requests     int     `json:"requests"`
	KB           float64 `json:"kB"`
	Seen         float64 `json:"firstContentfulPaintMs"`
	StaticSeen   float64 `json:"staticFirstContentfulPaintMs"`
	AgainKB      float64 `json:"againKB"`
	SeenAgain    float64 `json:"againFirstContentfulPaintMs"`
	Moved        float64 `json:"layoutShift"`
	MovedOnPhone float64 `json:"layoutShiftOnPhone"`
	Promised     bool    `json:"promised"`

	copy string // its document as a file of the same server
}

func (l look) kept() bool {
	kept := max(l.Moved, l.MovedOnPhone) <= mostMoved
	switch l.Page {
	case "first", "leaderboard":
		kept = kept && l.KB <= boardKB && l.Seen <= boardSeen && l.AgainKB <= againKB
	case "trial":
		kept = kept && l.KB <= trialKB
	}
	return kept
}

// looks has a browser open one page of each kind.
func looks(ctx context.Context, o options, files string, subjects []pages.Subject) (all []look, err error) {
	s, err := startService(o, "paint", withFiles(files))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if all, err = looked(s.Base, subjects); err != nil {
		return nil, err
	}
	if err := copies(s.Base, files, all); err != nil {
		return nil, err
	}
	program, end := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(o.browser), chromedp.NoSandbox, chromedp.DisableGPU)...)
	defer end()
	browser, closeBrowser := chromedp.NewContext(program)
	defer closeBrowser()
	if err := chromedp.Do(browser); err != nil {
		return nil, fmt.Errorf("a browser is needed, such as %s: %w", o.browser, err)
	}
	for i := range all {
		if err := all[i].open(browser, s.Base, o.pictures); err != nil {
			return nil, fmt.Errorf("%s: %w", all[i].Address, err)
		}
		command.Say("%d of %d: %s", i+1, len(all), all[i].Address)
	}
	return all, nil
}

// open visits the page and its copy in turns; pictures of what is seen first go to a folder, where one is named.
func (l *look) open(browser context.Context, base, pictures string) error {
	var kb, seen, static, againKB, seenAgain []float64
	for range visits {
		cold, again, err := visit(browser, base+l.Address, screen, l.picture(pictures, "screen"))
		if err != nil {
			return err
		}
		file, _, err := visit(browser, base+l.copy, screen, "")
		if err != nil {
			return err
		}
		kb, seen, static = append(kb, cold.kb), append(seen, cold.seen), append(static, file.seen)
		againKB, seenAgain = append(againKB, again.kb), append(seenAgain, again.seen)
		l.Requests = cold.requests
		l.Moved = max(l.Moved, cold.moved, again.moved)
	}
	small, _, err := visit(browser, base+l.Address, phone, l.picture(pictures, "phone"))
	if err != nil {
		return err
	}
	l.MovedOnPhone = small.moved
	l.KB, l.Seen, l.StaticSeen = median(kb), median(seen), median(static)
	l.AgainKB, l.SeenAgain = median(againKB), median(seenAgain)
	return nil
}

var notInNames = regexp.MustCompile(`[^a-z]+`)

// picture is the file of one; empty: none is wanted.
func (l *look) picture(folder, on string) string {
	if folder == "" {
		return ""
	}
	name := strings.ReplaceAll(l.Page, "*", "one") // /runs and /runs/* are two
	return filepath.Join(folder, strings.Trim(notInNames.ReplaceAllString(name, "-"), "-")+"-"+on+".png")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// opening is one navigation.
type opening struct {
	requests        int
	kb, seen, moved float64
}

// visit opens an address twice in a browser that keeps nothing of before. A picture is of the first time.
func visit(browser context.Context, address string, s window, picture string) (cold, again opening, err error) {
	tab, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer closeTab()
	w := newWire()
	if err := chromedp.Listen(tab, w.hear); err != nil {
		return cold, again, err
	}
	if err := chromedp.Do(tab, chromedp.EmulateViewport(s.width, s.height), watchShifts); err != nil {
		return cold, again, err
	}
	if cold, err = w.navigate(tab, address); err != nil {
		return cold, again, err
	}
	if picture != "" {
		if err := save(tab, picture); err != nil {
			return cold, again, err
		}
	}
	if _, err := w.navigate(tab, "about:blank"); err != nil {
		return cold, again, err
	}
	again, err = w.navigate(tab, address)
	return cold, again, err
}

func save(tab context.Context, file string) error {
	png, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	return os.WriteFile(file, png, 0o644)
}

// watchShifts sums up how far things move without anybody's doing, in each document from its begin.
var watchShifts = chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
	_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		window.moved = 0;
		new PerformanceObserver(list => {
			for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.moved += shift.value;
		}).observe({type: 'layout-shift', buffered: true});`})
	return err
})

const (
	openLimit = 60 * time.Second
	drawn     = `document.readyState === 'complete' && [...document.querySelectorAll('[data-charts]')].every(c => 'drawn' in c.dataset)`
	painted   = `(() => { const p = performance.getEntriesByName('first-contentful-paint')[0];
		return {seen: p ? p.startTime : -1, moved: window.moved}; })()`
)

// navigate waits until all is loaded and drawn, and nothing has been asked for a while.
func (w *wire) navigate(tab context.Context, address string) (o opening, err error) {
	tab, cancel := context.WithTimeout(tab, openLimit)
	defer cancel()
	w.reset()
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		return o, err
	}
	if address == "about:blank" {
		return o, nil
	}
	if _, err := chromedp.Run(tab, chromedp.Poll[bool](drawn)); err != nil {
		return o, fmt.Errorf("its charts were not drawn: %w", err)
	}
	if err := w.await(tab); err != nil {
		return o, err
	}
	found, err := chromedp.Run(tab, chromedp.Evaluate[struct{ Seen, Moved float64 }](painted))
	if err != nil {
		return o, err
	}
	if found.Seen < 0 {
		return o, errors.New("nothing was painted")
	}
	o.seen, o.moved = found.Seen, found.Moved
	o.requests, o.kb = w.counted()
	return o, nil
}
