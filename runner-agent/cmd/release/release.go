package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/install"
	"loomboard.dev/agent/internal/pack"
	"loomboard.dev/agent/internal/server"
)

// sumsName is the file of digests, as sha256sum writes and checks it.
const sumsName = "SHA256SUMS"

var architectures = []string{"amd64", "arm64"}

// boms are what `make audit` gathers, and their names in the release.
var boms = []struct{ name, path string }{
	{"agent.cdx.json", "audit/build/agent.cdx.json"},
	{"frontend.cdx.json", "audit/build/frontend.cdx.json"},
	{"postgres.cdx.json", "audit/build/postgres.cdx.json"},
	{"service.cdx.json", "backend/target/classes/META-INF/sbom/application.cdx.json"},
	{"spring-mvc.cdx.json", "sample-servers/spring-mvc/target/bom.json"},
	{"spring-webflux.cdx.json", "sample-servers/spring-webflux/target/bom.json"},
}

type release struct {
	root, out, version string
	at                 time.Time
	says               io.Writer
}

func (r release) make() error {
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var downloads []string // what a service offers to machines
	for _, architecture := range architectures {
		name, err := r.agent(architecture)
		if err != nil {
			return err
		}
		downloads = append(downloads, name)
	}
	packages, err := r.servers()
	if err != nil {
		return err
	}
	downloads = append(append(downloads, packages...), install.ListName)
	if err := r.copyIn("install.sh", "runner-agent/install.sh"); err != nil {
		return err
	}
	downloads = append(downloads, "install.sh")
	sums, err := r.sums(downloads)
	if err != nil {
		return err
	}
	all := downloads
	name, err := r.service(downloads, sums)
	if err != nil {
		return err
	}
	all = append(all, name)
	if name, err = r.billsOfMaterials(); err != nil {
		return err
	} else if name != "" {
		all = append(all, name)
	}
	if sums, err = r.sums(all); err != nil {
		return err
	}
	fmt.Fprintf(r.says, "%s%s of %s\n", sums, r.out, r.version)
	return os.WriteFile(filepath.Join(r.out, sumsName), sums, 0o644)
}

// path is that of a file of the repository.
func (r release) path(name string) string { return filepath.Join(r.root, filepath.FromSlash(name)) }

// licences are in every archive.
func (r release) licences(folder string) []pack.File {
	return []pack.File{
		{Name: folder + "LICENSE", Path: r.path("LICENSE")},
		{Name: folder + "NOTICE", Path: r.path("NOTICE")},
	}
}

func (r release) archive(name string, files []pack.File) (err error) {
	out, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := pack.Write(out, r.at, files); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (r release) agent(architecture string) (name string, err error) {
	library := "runner-agent/jvmti/lib/liblbcontention-" + architecture + ".so"
	if _, err := os.Stat(r.path(library)); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(r.says, "The agent for %s is without its contention agent, since there is no C compiler for it here: "+
			"its diagnostic trials say \"not measured\" of lock contention.\n", architecture)
	}
	name = fmt.Sprintf("loomboard-agent_%s_linux_%s.tar.gz", r.version, architecture)
	return name, r.archive(name, append(r.licences(""),
		pack.File{Name: "loomboard-agent", Path: r.path("runner-agent/build/release/" + architecture + "/loomboard-agent"), Executable: true}))
}

// servers packs every sample server and lists them.
func (r release) servers() (names []string, err error) {
	specs, err := server.LoadSpecs(r.path("sample-servers"))
	if err != nil {
		return nil, err
	}
	offers := install.Offers{Schema: install.SchemaOffers}
	for _, spec := range specs {
		name := fmt.Sprintf("%s_%s.tar.gz", spec.Name, r.version)
		if err := r.archive(name, append(r.licences(""),
			pack.File{Name: "server.yaml", Path: filepath.Join(spec.Dir, "server.yaml")},
			pack.File{Name: filepath.ToSlash(spec.Artifact), Path: spec.ArtifactPath()},
			pack.File{Name: install.WorkloadsName, Path: r.path("sample-servers/workloads.yaml")},
			pack.File{Name: "fortunes.sql", Path: r.path("sample-servers/fortunes.sql")},
			pack.File{Name: "matrices/qualify.yaml", Path: r.path("sample-servers/matrices/qualify.yaml")},
			pack.File{Name: install.VersionName, Data: []byte(r.version + "\n")})); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return nil, err
		}
		offers.Servers = append(offers.Servers, install.Offer{Name: spec.Name, Title: spec.Title, Version: r.version, Java: spec.Java,
			File: name, Size: int64(len(text)), SHA256: fmt.Sprintf("%x", sha256.Sum256(text))})
		names = append(names, name)
	}
	list, err := json.MarshalIndent(offers, "", "  ")
	if err != nil {
		return nil, err
	}
	return names, os.WriteFile(filepath.Join(r.out, install.ListName), append(list, '\n'), 0o644)
}

// service is the jar, the script that starts it, and what it offers to machines.
func (r release) service(downloads []string, sums []byte) (name string, err error) {
	folder := "loomboard_" + r.version + "/"
	files := append(r.licences(folder),
		pack.File{Name: folder + "loomboard.jar", Path: r.path("backend/target/loomboard.jar")},
		pack.File{Name: folder + "start", Path: r.path("backend/start"), Executable: true},
		pack.File{Name: folder + "downloads/" + sumsName, Data: sums})
	for _, d := range downloads {
		files = append(files, pack.File{Name: folder + "downloads/" + d, Path: filepath.Join(r.out, d)})
	}
	name = strings.TrimSuffix(folder, "/") + ".tar.gz"
	return name, r.archive(name, files)
}

// billsOfMaterials packs those of `make audit`; an empty name: there are none.
func (r release) billsOfMaterials() (name string, err error) {
	files := r.licences("")
	for _, bom := range boms {
		if _, err := os.Stat(r.path(bom.path)); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(r.says, "No bills of materials, since there is no %s: run make audit before make release.\n", bom.path)
			return "", nil
		}
		files = append(files, pack.File{Name: bom.name, Path: r.path(bom.path)})
	}
	name = "loomboard_" + r.version + "_sbom.tar.gz"
	return name, r.archive(name, files)
}

func (r release) copyIn(name, path string) error {
	text, err := os.ReadFile(r.path(path))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name), text, 0o644)
}

func (r release) sums(names []string) ([]byte, error) {
	var out bytes.Buffer
	for _, name := range slices.Sorted(slices.Values(names)) {
		text, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(text), name)
	}
	return out.Bytes(), nil
}
