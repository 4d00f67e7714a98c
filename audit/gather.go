package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
)

// javaBOMs are what Maven writes, by the part's folder: of the service and of every sample server.
func javaBOMs(root string) (map[string]string, error) {
	boms := map[string]string{"backend": "target/classes/META-INF/sbom/application.cdx.json"}
	samples, err := filepath.Glob(filepath.Join(root, "sample-servers", "*", "pom.xml"))
	if err != nil {
		return nil, err
	}
	for _, pom := range samples {
		boms["sample-servers/"+filepath.Base(filepath.Dir(pom))] = "target/bom.json"
	}
	return boms, nil
}

// unlisted is a part of which no build tool writes a bill of materials.
type unlisted struct {
	ecosystem, name, file string
	components            []component
}

// goPrograms are the agent and the sample servers that are written in Go.
func goPrograms(root string) ([]unlisted, error) {
	modules, err := goComponents(filepath.Join(root, "runner-agent"), "build/loomboard-*")
	if err != nil {
		return nil, err
	}
	all := []unlisted{{"Go", "runner-agent", "agent.cdx.json", modules}}
	samples, err := filepath.Glob(filepath.Join(root, "sample-servers", "*", "go.mod"))
	if err != nil {
		return nil, err
	}
	for _, mod := range samples {
		folder := filepath.Dir(mod)
		name := filepath.Base(folder)
		if modules, err = goComponents(folder, "target/"+name); err != nil {
			return nil, err
		}
		all = append(all, unlisted{"Go", "sample-servers/" + name, name + ".cdx.json", modules})
	}
	return all, nil
}

// gather reads every part's bill of materials, after writing those of Go, JS and native programs to out.
func gather(root, out string, rules *rules) ([]part, error) {
	var parts []part
	boms, err := javaBOMs(root)
	if err != nil {
		return nil, err
	}
	for _, folder := range slices.Sorted(maps.Keys(boms)) {
		parts = append(parts, part{Ecosystem: "Java", Name: folder, BOM: filepath.Join(root, folder, boms[folder])})
	}
	vendored, err := readVendored(root)
	if err != nil {
		return nil, err
	}
	var scripts []component
	for _, v := range vendored {
		scripts = append(scripts, v.component)
	}
	programs, err := goPrograms(root)
	if err != nil {
		return nil, err
	}
	for _, made := range append(programs,
		unlisted{"JS", "frontend", "frontend.cdx.json", scripts},
		unlisted{"native", "PostgreSQL's programs in the service", "postgres.cdx.json", rules.bundled()}) {
		path := filepath.Join(out, made.file)
		if err := writeBOM(path, made.name, made.components); err != nil {
			return nil, err
		}
		parts = append(parts, part{Ecosystem: made.ecosystem, Name: made.name, BOM: path})
	}
	for i := range parts {
		parts[i].Components, err = readBOM(parts[i].BOM)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w (make audit builds it)", err)
		}
		if err != nil {
			return nil, err
		}
		if len(parts[i].Components) == 0 {
			return nil, fmt.Errorf("%s lists no component", parts[i].BOM)
		}
	}
	return parts, nil
}
