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
	asked    map[string]int    // how often each archive was downloaded
	damaged  map[string]string // of archives, by their names in addresses: the file that is sent in their place
}

func openCatalogue(archives []archive) (*catalogue, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &catalogue{url: "http://" + listener.Addr().String() + "/disco/v3.0", asked: map[string]int{}, damaged: map[string]string{}}
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

// damage has another archive be sent in a's place, until it is mended: its bytes are not those of its checksum.
func (c *catalogue) damage(a, other archive) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.damaged[id(a)] = other.path
}

func (c *catalogue) mend(a archive) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.damaged, id(a))
}

// id is how the catalogue names an archive.
func id(a archive) string { return strings.ReplaceAll(a.Slug, ".", "_") }

// distribution is how the catalogue names who made a build.
func distribution(a archive) string { return strings.ReplaceAll(a.Vendor, "-", "_") }

func (c *catalogue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.URL.Path, "/archives/") {
		c.mu.Lock()
		other, damaged := c.damaged[path.Base(r.URL.Path)]
		if !damaged {
			c.asked[path.Base(r.URL.Path)]++
		}
		c.mu.Unlock()
		if damaged {
			http.ServeFile(w, r, other)
			return
		}
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
