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
	"loomboard.dev/agent/internal/results"
	"loomboard.dev/agent/internal/server"
)

var architectures = []string{"amd64", "arm64"}

// bom is a bill of materials that `make audit` gathers, and its name in the release.
type bom struct{ name, path string }

// ownBOMs are those of what is no sample server.
var ownBOMs = []bom{
	{"agent.cdx.json", "audit/build/agent.cdx.json"},
	{"frontend.cdx.json", "audit/build/frontend.cdx.json"},
	{"postgres.cdx.json", "audit/build/postgres.cdx.json"},
	{"service.cdx.json", "backend/target/classes/META-INF/sbom/application.cdx.json"},
}

// boms are all of them.
func (r release) boms() ([]bom, error) {
	samples, err := filepath.Glob(r.path("sample-servers/*/pom.xml"))
	if err != nil {
		return nil, err
	}
	all := slices.Clone(ownBOMs)
	for _, pom := range samples {
		sample := filepath.Base(filepath.Dir(pom))
		all = append(all, bom{sample + ".cdx.json", "sample-servers/" + sample + "/target/bom.json"})
	}
	return all, nil
}

type release struct {
	root, out, version string
	at                 time.Time
	says               io.Writer
	key                *install.PublisherKey // nil: the release is unsigned
}

// signedBy reads the publisher's key; an empty file is none.
func (r *release) signedBy(file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the publisher's key: %w", err)
	}
	key, err := install.ParsePublisherKey(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r.key = &key
	return nil
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
	if name, err = r.results(); err != nil {
		return err
	} else if name != "" {
		all = append(all, name)
	}
	if name, err = r.billsOfMaterials(); err != nil {
		return err
	} else if name != "" {
		all = append(all, name)
	}
	if sums, err = r.sums(all); err != nil {
		return err
	}
	signed := "unsigned by a publisher (LOOMBOARD_RELEASE_KEY)"
	if r.key != nil {
		signed = "signed by publisher " + r.key.Publisher().String()
		if err := os.WriteFile(filepath.Join(r.out, install.SignatureName), []byte(r.key.Sign(sums)), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(r.says, "%s%s of %s, %s\n", sums, r.out, r.version, signed)
	return os.WriteFile(filepath.Join(r.out, install.SumsName), sums, 0o644)
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

// servers packs every sample server that runs on a JVM and lists them. A program of its own would be for one architecture, and a
// package is for all.
func (r release) servers() (names []string, err error) {
	specs, err := server.LoadFolder(r.path("sample-servers"))
	if err != nil {
		return nil, err
	}
	seeds, err := r.seeds()
	if err != nil {
		return nil, err
	}
	offers := install.Offers{Schema: install.SchemaOffers}
	for _, spec := range specs {
		if !spec.HasJVM() {
			fmt.Fprintf(r.says, "No package of %s: it is of kind %s, and packages are for all architectures.\n", spec.Name, spec.Kind)
			continue
		}
		name := fmt.Sprintf("%s_%s.tar.gz", spec.Name, r.version)
		if err := r.archive(name, slices.Concat(r.licences(""), seeds, []pack.File{
			{Name: "server.yaml", Path: filepath.Join(spec.Dir, "server.yaml")},
			{Name: filepath.ToSlash(spec.Artifact), Path: spec.ArtifactPath()},
			{Name: install.WorkloadsName, Path: r.path("sample-servers/workloads.yaml")},
			{Name: "matrices/qualify.yaml", Path: r.path("sample-servers/matrices/tools/qualify.yaml")},
			{Name: install.VersionName, Data: []byte(r.version + "\n")},
		})); err != nil {
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

// seeds are the files that fill the databases of the shared workloads.
func (r release) seeds() (files []pack.File, err error) {
	paths, err := filepath.Glob(r.path("sample-servers/*.sql"))
	for _, path := range paths {
		files = append(files, pack.File{Name: filepath.Base(path), Path: path})
	}
	return files, err
}

// service is the jar, the script that starts it, what its operator reads, and what it offers to machines.
func (r release) service(downloads []string, sums []byte) (name string, err error) {
	folder := "loomboard_" + r.version + "/"
	settings, err := r.settings()
	if err != nil {
		return "", err
	}
	operating, err := os.ReadFile(r.path("backend/OPERATING.md"))
	if err != nil {
		return "", err
	}
	files := append(r.licences(folder),
		pack.File{Name: folder + "README.md", Path: r.path("backend/RELEASE.md")},
		pack.File{Name: folder + "SETTINGS.md", Data: settings},
		pack.File{Name: folder + "OPERATING.md", Data: []byte(asReleased.Replace(string(operating)))},
		pack.File{Name: folder + "SECURITY.md", Path: r.path("SECURITY.md")},
		pack.File{Name: folder + "WEBHOOKS.md", Path: r.path("backend/api/webhooks.md")},
		pack.File{Name: folder + "alerts.yaml", Path: r.path("backend/alerts.yaml")},
		pack.File{Name: folder + "loomboard.jar", Path: r.path("backend/target/loomboard.jar")},
		pack.File{Name: folder + "start", Path: r.path("backend/start"), Executable: true},
		pack.File{Name: folder + "downloads/" + install.SumsName, Data: sums})
	if r.key != nil {
		files = append(files, pack.File{Name: folder + "downloads/" + install.SignatureName, Data: []byte(r.key.Sign(sums))})
	}
	for _, d := range downloads {
		files = append(files, pack.File{Name: folder + "downloads/" + d, Path: filepath.Join(r.out, d)})
	}
	name = strings.TrimSuffix(folder, "/") + ".tar.gz"
	return name, r.archive(name, files)
}

// results packs those that were really measured, which ship; an empty name: there are none. Any that is not as it was measured ends
// the release.
func (r release) results() (name string, err error) {
	folder := r.path("backend/results")
	m, err := results.Read(folder)
	if err == nil {
		err = m.Check(folder)
	}
	if err != nil {
		return "", fmt.Errorf("backend/results: %w", err)
	}
	if len(m.Runs) == 0 {
		fmt.Fprintln(r.says, "No results are shipped, since backend/results has no bundle: make results measures them.")
		return "", nil
	}
	files := append(r.licences("results/"),
		pack.File{Name: "results/README.md", Path: filepath.Join(folder, "README.md")},
		pack.File{Name: "results/" + results.ManifestName, Path: filepath.Join(folder, results.ManifestName)})
	for _, run := range m.Runs {
		files = append(files, pack.File{Name: "results/" + run.File, Path: filepath.Join(folder, run.File)})
	}
	name = "loomboard_" + r.version + "_results.tar.gz"
	return name, r.archive(name, files)
}

// billsOfMaterials packs those of `make audit`; an empty name: there are none.
func (r release) billsOfMaterials() (name string, err error) {
	boms, err := r.boms()
	if err != nil {
		return "", err
	}
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

// asReleased leads links of the repository's documents to where these are in a release.
var asReleased = strings.NewReplacer("](README.md", "](SETTINGS.md", "](../SECURITY.md", "](SECURITY.md", "](api/webhooks.md", "](WEBHOOKS.md")

// settings is the part of the service's README that its operator needs.
func (r release) settings() ([]byte, error) {
	readme, err := os.ReadFile(r.path("backend/README.md"))
	if err != nil {
		return nil, err
	}
	_, settings, ok := strings.Cut(string(readme), "\n## Settings\n")
	if !ok {
		return nil, errors.New("backend/README.md has no part named Settings")
	}
	return []byte("# Settings\n\n" + asReleased.Replace(strings.TrimLeft(settings, "\n"))), nil
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
