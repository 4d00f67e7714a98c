package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/net/html/atom"

	"golang.org/x/net/html"
)

const (
	email    = "stranger@example.org"
	password = "a stranger's long password"
)

// walker is a stranger with a browser and a machine.
type walker struct {
	*browser
	machine *machine
	service *board
	began   time.Time
	refused int // runs that could not be started yet
}

// walk goes from the service's address to the first result, and says what it took.
func walk(ctx context.Context, service *board, m *machine) error {
	b, err := newBrowser()
	if err != nil {
		return err
	}
	w := &walker{browser: b, machine: m, service: service, began: time.Now()}
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"Sign up", w.signUp},
		{"Make a workspace", w.makeWorkspace},
		{"Register the machine, install servers, start the agent", w.register},
		{"Run a matrix", w.run},
		{"See the first result", w.firstResult},
	} {
		fmt.Printf("%s  %s\n", w.since(), step.what)
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	fmt.Printf("\n%s from the first request to the first result: %d clicks, %d of them to try again; %d lines copied, %d pasted.\n",
		w.since(), w.clicks, w.refused, w.copies, m.lines)
	return nil
}

func (w *walker) since() string {
	took := time.Since(w.began).Round(time.Second)
	return fmt.Sprintf("%d:%02d", int(took.Minutes()), int(took.Seconds())%60)
}

func (w *walker) signUp(ctx context.Context) error {
	if err := w.open(ctx, w.service.address+"/"); err != nil {
		return err
	}
	if err := w.follow(ctx, "Make an account"); err != nil {
		return err
	}
	if err := w.press(ctx, "Create the account", map[string]string{"Email": email, "Name": "A stranger", "Password": password}); err != nil {
		return err
	}
	return w.press(ctx, "Sign in", map[string]string{"Email": email, "Password": password})
}

func (w *walker) makeWorkspace(ctx context.Context) error {
	return w.press(ctx, "Make the workspace", map[string]string{"Name": "Elsewhere"})
}

func (w *walker) register(ctx context.Context) error {
	if err := w.follow(ctx, "Register a machine"); err != nil {
		return err
	}
	if err := w.press(ctx, "Create the command", map[string]string{"Name": "Bare bench"}); err != nil {
		return err
	}
	for _, label := range []string{"Line to paste", "Line to install servers"} {
		line, err := w.copied(label)
		if err != nil {
			return err
		}
		if err := w.machine.paste(line); err != nil {
			return err
		}
	}
	line, err := w.copied("Line to start it")
	if err != nil {
		return err
	}
	if err := w.machine.begin(line); err != nil {
		return err
	}
	// The page waits by itself; without scripts it has a link for that.
	waiting := find(w.page, func(n *html.Node) bool { return n.DataAtom == atom.A && text(n) == "Look again" })
	if waiting == nil {
		return w.missing("no link", "Look again")
	}
	at, err := w.at.Parse(attribute(waiting, "href"))
	if err != nil {
		return err
	}
	err = w.until(ctx, 5*time.Minute, "the page does not say that the agent works", func() (bool, error) {
		err := w.open(ctx, at.String())
		return w.says("its agent works"), errors.Join(err, w.machine.alive(ctx))
	})
	if err != nil {
		err = fmt.Errorf("%w; the page says: %s\nthe machine says:\n%s", err, w.text(), plain(w.machine.output()))
	}
	return err
}

// run starts the first matrix that one is offered. An agent that has just been started may not have said yet what it has.
func (w *walker) run(ctx context.Context) error {
	if err := w.follow(ctx, "choose a matrix"); err != nil {
		return err
	}
	if err := w.follow(ctx, "Starter"); err != nil {
		return err
	}
	return w.until(ctx, 5*time.Minute, "the run cannot be started", func() (bool, error) {
		err := w.press(ctx, "Run now", nil)
		if errors.Is(err, errRefused) {
			w.refused++
			fmt.Println("   ", err)
			return false, nil
		}
		return true, err
	})
}

func (w *walker) firstResult(ctx context.Context) error {
	const table = "Results of scored trials"
	err := w.until(ctx, 10*time.Minute, "there is no result", func() (bool, error) {
		if err := w.again(ctx); err != nil {
			return false, err
		}
		return w.row(table) != nil, w.machine.alive(ctx)
	})
	if err != nil {
		return fmt.Errorf("%w; the page says: %s\nthe machine says:\n%s", err, w.text(), plain(w.machine.output()))
	}
	fmt.Printf("    %s\n", text(w.row(table)))
	if attribute(w.row(table), "class") == "struck" {
		fmt.Println("    It is left out of means, as the page says: this machine has more to do than to measure.")
	}
	return nil
}

// until asks again and again, and gives up after some time.
func (w *walker) until(ctx context.Context, within time.Duration, otherwise string, so func() (bool, error)) error {
	limit := time.After(within)
	for {
		if is, err := so(); is || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-limit:
			return fmt.Errorf("%s after %s", otherwise, within)
		case <-time.After(time.Second):
		}
	}
}
