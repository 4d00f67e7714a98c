package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// database knows vulnerabilities in the form of OSV's export; without one it says so instead of finding nothing.
type database struct {
	folder string
	// byPackage has an ecosystem's entries by the package's name, e.g. Maven → io.netty:netty-codec-http.
	byPackage map[string]map[string][]vulnerability
}

// vulnerability is the part of an OSV entry that says what it is about (https://ossf.github.io/osv-schema/).
type vulnerability struct {
	ID        string
	Aliases   []string
	Withdrawn string
	Affected  []affected
}

type affected struct {
	Package  struct{ Ecosystem, Name string }
	Versions []string
	Ranges   []struct {
		Type   string
		Events []struct {
			Introduced   string
			Fixed        string
			LastAffected string `json:"last_affected"`
		}
	}
}

// finding is a component that a vulnerability affects.
type finding struct {
	Component component
	Names     []string // the identifier and its aliases
}

func (f finding) String() string { return f.Component.String() + " has " + strings.Join(f.Names, ", ") }

func openDatabase(folder string) (*database, error) {
	d := &database{folder, map[string]map[string][]vulnerability{}}
	if folder == "" {
		return d, nil
	}
	for _, ecosystem := range []string{"Maven", "Go", "npm"} {
		entries, err := readExport(filepath.Join(folder, ecosystem, "all.zip"), ecosystem)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		d.byPackage[ecosystem] = entries
	}
	if len(d.byPackage) == 0 {
		return nil, fmt.Errorf("%s has none of Maven/all.zip, Go/all.zip, npm/all.zip", folder)
	}
	return d, nil
}

func readExport(path, ecosystem string) (map[string][]vulnerability, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	entries := map[string][]vulnerability{}
	for _, file := range archive.File {
		v, err := readEntry(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, file.Name, err)
		}
		if v.Withdrawn != "" {
			continue
		}
		for _, a := range v.Affected {
			if a.Package.Ecosystem == ecosystem {
				only := v
				only.Affected = []affected{a}
				entries[a.Package.Name] = append(entries[a.Package.Name], only)
			}
		}
	}
	return entries, nil
}

func readEntry(file *zip.File) (vulnerability, error) {
	var v vulnerability
	r, err := file.Open()
	if err != nil {
		return v, err
	}
	defer r.Close()
	return v, json.NewDecoder(r).Decode(&v)
}

// look gives a part's vulnerable components, and for the table whether it was looked at all.
func (d *database) look(p part) (found []finding, word string) {
	if d.folder == "" {
		return nil, "not checked: no database given (LOOMBOARD_OSV)"
	}
	ecosystem := map[string]string{"Java": "Maven", "Go": "Go", "JS": "npm"}[p.Ecosystem]
	entries := d.byPackage[ecosystem]
	if entries == nil {
		return nil, "not checked: the database knows nothing of this ecosystem"
	}
	for _, c := range p.Components {
		for _, v := range entries[osvName(c.Package)] {
			if v.Affected[0].affects(c.Version) {
				found = append(found, finding{c, append([]string{v.ID}, v.Aliases...)})
			}
		}
	}
	return found, fmt.Sprintf("scanned: %d", len(found))
}

// osvName is io.netty:netty-common for pkg:maven/io.netty/netty-common, and the bare name elsewhere.
func osvName(purl string) string {
	kind, name, _ := strings.Cut(strings.TrimPrefix(purl, "pkg:"), "/")
	switch {
	case kind == "maven":
		return strings.Replace(name, "/", ":", 1)
	case kind == "golang" && name == "std":
		return "stdlib"
	default:
		return name
	}
}

func (a affected) affects(version string) bool {
	if slices.Contains(a.Versions, version) {
		return true
	}
	for _, r := range a.Ranges {
		if r.Type == "GIT" {
			continue
		}
		in := false
		for _, e := range r.Events { // in the order of versions, by OSV's rule
			switch {
			case e.Introduced != "":
				in = in || e.Introduced == "0" || !older(version, e.Introduced)
			case e.Fixed != "":
				in = in && older(version, e.Fixed)
			case e.LastAffected != "":
				in = in && !older(e.LastAffected, version)
			}
		}
		if in {
			return true
		}
	}
	return false
}
