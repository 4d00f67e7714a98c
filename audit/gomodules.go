package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// goComponents are the modules linked into the programs of a folder, and Go's own library. It reads the programs, not
// go.mod: what only tests need is not shipped.
func goComponents(folder, pattern string) ([]component, error) {
	programs, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		return nil, err
	}
	if len(programs) == 0 {
		return nil, fmt.Errorf("there is no %s in %s (make audit builds it)", pattern, folder)
	}
	found := map[string]component{}
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return nil, err
		}
		found["std"] = component{"pkg:golang/std", strings.TrimPrefix(info.GoVersion, "go"), []string{"BSD-3-Clause"}}
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			licences, err := moduleLicences(folder, m.Path, m.Version)
			if err != nil {
				return nil, err
			}
			found[m.Path] = component{"pkg:golang/" + m.Path, m.Version, licences}
		}
	}
	all := make([]component, 0, len(found))
	for _, c := range found {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b component) int { return cmp.Compare(a.Package, b.Package) })
	return all, nil
}

// moduleLicences recognizes the licence files of a module in Go's cache.
func moduleLicences(folder, path, version string) ([]string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", path+"@"+version)
	cmd.Dir = folder
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s@%s: %w", path, version, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(text, &module); err != nil {
		return nil, fmt.Errorf("%s@%s: %w", path, version, err)
	}
	return licencesIn(module.Dir)
}

// enough of a licence file's words, in percent, must belong to known licences.
const enough = 75

func licencesIn(dir string) ([]string, error) {
	var found []string
	for _, pattern := range []string{"LICEN[CS]E*", "[Ll]icen[cs]e*", "COPYING*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				continue // a folder of that name
			}
			cover := licensecheck.Scan(text)
			if cover.Percent < enough {
				found = append(found, "unknown ("+filepath.Base(file)+")")
			}
			for _, m := range cover.Match {
				if !m.IsURL {
					found = append(found, m.ID)
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}
