package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// component is one thing that is shipped.
type component struct {
	// Package is its package URL without version and qualifiers: pkg:maven/io.netty/netty-common.
	Package  string
	Version  string
	Licences []string // SPDX identifiers, or names where the bill of materials knows none
}

func (c component) String() string { return c.Package + "@" + c.Version }

// part is something that is shipped as one, with its own bill of materials.
type part struct {
	Ecosystem  string // Java, Go, JS or native
	Name       string
	BOM        string // the file
	Components []component
}

// readBOM takes the components of a CycloneDX file in JSON.
func readBOM(path string) ([]component, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var bom cyclonedx.BOM
	if err := cyclonedx.NewBOMDecoder(f, cyclonedx.BOMFileFormatJSON).Decode(&bom); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []component
	if bom.Components == nil {
		return nil, nil
	}
	for _, c := range *bom.Components {
		name, version, err := splitPURL(c.PackageURL)
		if err != nil {
			return nil, fmt.Errorf("%s: %s %s: %w", path, c.Name, c.Version, err)
		}
		all = append(all, component{name, version, licenceNames(c.Licenses)})
	}
	return all, nil
}

func licenceNames(choices *cyclonedx.Licenses) []string {
	if choices == nil {
		return nil
	}
	var names []string
	for _, c := range *choices {
		switch {
		case c.Expression != "":
			names = append(names, c.Expression)
		case c.License != nil && c.License.ID != "":
			names = append(names, c.License.ID)
		case c.License != nil && c.License.Name != "":
			names = append(names, c.License.Name)
		}
	}
	return names
}

// splitPURL gives pkg:maven/g/a and 1.0 for pkg:maven/g/a@1.0?type=jar; %40 and the like are read as what they mean.
func splitPURL(purl string) (name, version string, err error) {
	purl, _, _ = strings.Cut(purl, "?")
	at := strings.LastIndexByte(purl, '@')
	if !strings.HasPrefix(purl, "pkg:") || at < 0 {
		return "", "", fmt.Errorf("no package URL with a version: %q", purl)
	}
	if name, err = url.PathUnescape(purl[:at]); err != nil {
		return "", "", err
	}
	version, err = url.PathUnescape(purl[at+1:])
	return name, version, err
}

// licence has an identifier of SPDX, or the name of what has none.
func licence(name string) *cyclonedx.License {
	if strings.HasPrefix(name, "LicenseRef-") || strings.Contains(name, " ") {
		return &cyclonedx.License{Name: name}
	}
	return &cyclonedx.License{ID: name}
}

// writeBOM writes a CycloneDX file in JSON, the same for the same components.
func writeBOM(path, name string, components []component) error {
	var all []cyclonedx.Component
	for _, c := range components {
		licences := cyclonedx.Licenses{}
		for _, l := range c.Licences {
			licences = append(licences, cyclonedx.LicenseChoice{License: licence(l)})
		}
		purl := strings.ReplaceAll(c.Package, "@", "%40") + "@" + c.Version
		all = append(all, cyclonedx.Component{BOMRef: purl, Type: cyclonedx.ComponentTypeLibrary,
			Name: strings.TrimPrefix(c.Package[strings.IndexByte(c.Package, '/'):], "/"), Version: c.Version, PackageURL: purl, Licenses: &licences})
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Component: &cyclonedx.Component{Type: cyclonedx.ComponentTypeApplication, Name: name}}
	bom.Components = &all
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := cyclonedx.NewBOMEncoder(f, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}
