package provide

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// TestMain is also the fetch that is killed.
func TestMain(m *testing.M) {
	if catalogue := os.Getenv("PROVIDE_TEST_CATALOGUE"); catalogue != "" {
		p, err := New(Settings{Catalogue: catalogue, Distributions: []string{"temurin"}}, os.Getenv("PROVIDE_TEST_CACHE"), slog.Default())
		if err == nil {
			_, err = p.Fetch(context.Background(), "28-ea", func(at Progress) {
				if strings.HasPrefix(at.Doing, "unpacking") {
					fmt.Println(at.Doing)
					_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed, or who would do so is gone
				}
			})
		}
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func quiet(Progress) {}

func provider(t testing.TB, d *testbed.Disco, change ...func(*Settings)) *Provider {
	t.Helper()
	s := Settings{Catalogue: d.URL, Distributions: []string{"temurin"}}
	for _, c := range change {
		c(&s)
	}
	p, err := New(s, filepath.Join(t.TempDir(), "cache"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// left are the names in the cache besides its lock.
func left(t testing.TB, p *Provider) []string {
	t.Helper()
	entries, err := os.ReadDir(p.Folder())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		if e.Name() != lockName && e.Name() != neededName {
			names = append(names, e.Name())
		}
	}
	return names
}

func fetched(t testing.TB, p *Provider, word string) Entry {
	t.Helper()
	e, isNew, err := fetch(t.Context(), p, word)
	if err != nil || !isNew {
		t.Fatalf("%s: new %v, %v", word, isNew, err)
	}
	return e
}

// fetch is of a selector that means one build.
func fetch(ctx context.Context, p *Provider, word string) (e Entry, isNew bool, err error) {
	brought, err := p.Fetch(ctx, word, quiet)
	if len(brought) > 0 {
		return brought[0].Entry, brought[0].New, err
	}
	return Entry{}, false, err
}
