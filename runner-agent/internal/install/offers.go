// Package install puts servers to measure onto this machine: from the list that a service offers, or from a file. What is
// installed is its owner's choice; nothing here acts on a service's wish.
package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// SchemaOffers is the schema line of a list of servers.
const SchemaOffers = "loomboard.servers/1"

// ListName is the file of the list, beside those that it names.
const ListName = "servers.json"

// Offers are servers that can be installed. Who believes a list believes every package: it has their digests.
type Offers struct {
	Schema  string  `json:"schema"`
	Servers []Offer `json:"servers"`
}

// Offer is one package.
type Offer struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
	Java    int    `json:"java"` // lowest feature release it runs on
	File    string `json:"file"`
	Size    int64  `json:"size"`   // of the file
	SHA256  string `json:"sha256"` // of the file
}

// List is a list of servers as it came.
type List struct {
	Offers
	SHA256 string // of its bytes
}

// Bounds of what is taken from elsewhere.
const (
	mostOffers  = 100
	mostList    = 1 << 20
	mostSums    = 1 << 20
	mostPackage = 512 << 20 // as it comes and unpacked
	mostFiles   = 100
)

var (
	nameForm    = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	versionForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+_-]{0,59}$`)
	fileForm    = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+_-]{0,150}\.tar\.gz$`)
	digestForm  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// ParseList reads a list and refuses one in which anything is not as it should be.
func ParseList(text []byte) (List, error) {
	offers, err := parseOffers(text)
	sum := sha256.Sum256(text)
	return List{offers, hex.EncodeToString(sum[:])}, err
}

// parseOffers refuses a list in which anything is not as it should be.
func parseOffers(text []byte) (Offers, error) {
	var all Offers
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&all); err != nil {
		return Offers{}, fmt.Errorf("the list of servers cannot be read: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Offers{}, errors.New("the list of servers has more than one value")
	}
	if all.Schema != SchemaOffers {
		return Offers{}, fmt.Errorf("the list of servers is of schema %q, this agent reads %q: install a newer agent", all.Schema,
			SchemaOffers)
	}
	if len(all.Servers) > mostOffers {
		return Offers{}, fmt.Errorf("the list has %d servers, at most %d are read", len(all.Servers), mostOffers)
	}
	seen := map[string]bool{}
	for _, o := range all.Servers {
		if err := o.check(); err != nil {
			return Offers{}, fmt.Errorf("the list of servers: %w", err)
		}
		if seen[o.Name] {
			return Offers{}, fmt.Errorf("the list of servers has %s twice", o.Name)
		}
		seen[o.Name] = true
	}
	return all, nil
}

func (o Offer) check() error {
	for _, f := range []struct {
		field, value string
		form         *regexp.Regexp
	}{{"name", o.Name, nameForm}, {"version", o.Version, versionForm}, {"file", o.File, fileForm}, {"sha256", o.SHA256, digestForm}} {
		if !f.form.MatchString(f.value) {
			return fmt.Errorf("server %q: %s %q is not of its form", o.Name, f.field, f.value)
		}
	}
	if o.Size < 1 || o.Size > mostPackage {
		return fmt.Errorf("server %s: size %d, must be 1 to %d", o.Name, o.Size, mostPackage)
	}
	return nil
}

// Named are the offers of these names, each once and in the order of the list.
func (all Offers) Named(names []string) ([]Offer, error) {
	var chosen []Offer
	var there []string
	for _, o := range all.Servers {
		there = append(there, o.Name)
		if slices.Contains(names, o.Name) {
			chosen = append(chosen, o)
		}
	}
	for _, name := range names {
		if !slices.Contains(there, name) {
			return nil, fmt.Errorf("no server %q is offered; there are: %s", name, strings.Join(there, ", "))
		}
	}
	return chosen, nil
}
