package main

import (
	"net"
	"net/http"
	"path"
	"strings"
	"sync"

	"loomboard.dev/agent/internal/testbed"
)

// catalogue offers archives by the Disco API, on loopback.
type catalogue struct {
	url    string // what a provider is given
	server *http.Server

	disco    testbed.Disco
	mu       sync.Mutex
	archives []archive
	asked    map[string]int // how often each archive was downloaded
}

func openCatalogue(archives []archive) (*catalogue, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &catalogue{url: "http://" + listener.Addr().String() + "/disco/v3.0", asked: map[string]int{}}
	c.server = &http.Server{Handler: c}
	for _, a := range archives {
		c.offer(a)
	}
	go func() { _ = c.server.Serve(listener) }() // ends when it is closed
	return c, nil
}

// offer adds a build, from now on.
func (c *catalogue) offer(a archive) {
	c.mu.Lock()
	c.archives = append(c.archives, a)
	c.mu.Unlock()
	c.disco.Offer(testbed.DiscoBuild{ID: id(a), Distribution: distribution(a), Version: a.RuntimeVersion, File: a.path, Size: a.bytes,
		Checksum: a.sha256, Unsigned: true})
}

// offerDamaged adds a build whose archive, another's, is not that of its checksum, until it is offered whole.
func (c *catalogue) offerDamaged(a, other archive) {
	c.disco.Offer(testbed.DiscoBuild{ID: damaged(a), Distribution: distribution(a), Version: a.RuntimeVersion, File: other.path, Size: other.bytes,
		Checksum: a.sha256, Unsigned: true})
}

// mend offers the build whole in the damaged one's place; as catalogues do, under another id.
func (c *catalogue) mend(a archive) {
	c.disco.Withdraw(damaged(a))
	c.offer(a)
}

func damaged(a archive) string { return id(a) + "_damaged" }

// id is how the catalogue names an archive.
func id(a archive) string { return strings.ReplaceAll(a.Slug, ".", "_") }

// distribution is how the catalogue names who made a build.
func distribution(a archive) string { return strings.ReplaceAll(a.Vendor, "-", "_") }

func (c *catalogue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.URL.Path, "/archives/") {
		c.mu.Lock()
		c.asked[path.Base(r.URL.Path)]++
		c.mu.Unlock()
	}
	c.disco.ServeHTTP(w, r)
}

// served is an archive and how often it was downloaded whole.
type served struct {
	archive
	times int
}

func (c *catalogue) served() (all []served) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.archives {
		all = append(all, served{a, c.asked[id(a)]})
	}
	return all
}

func (c *catalogue) close() error { return c.server.Close() }
