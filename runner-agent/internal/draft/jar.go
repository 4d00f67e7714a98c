package draft

import (
	"archive/zip"
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/server"
)

// Defaults of a JVM, said in comments.
const (
	usualHeapMiB   = 512
	usualCollector = "G1"
)

func (d *draft) ofJar() error {
	manifest, err := readManifest(d.Jar)
	if err != nil {
		return fmt.Errorf("%s: %w", d.Jar, err)
	}
	if whole, plain := strings.CutSuffix(d.Jar, "-plain.jar"); plain && manifest["Main-Class"] == "" {
		return fmt.Errorf("%s has only the classes, as Gradle makes it beside the jar that is started: name %s.jar", d.Jar, whole)
	}
	if manifest["Main-Class"] == "" {
		return fmt.Errorf("%s says no Main-Class in its manifest, so `java -jar` cannot start it: name the jar that is started, "+
			"or how it is started, such as `init -- java -cp %s MAIN-CLASS`", d.Jar, d.Jar)
	}
	d.asJVM(jarName(d.Jar))
	if err := d.ofFile(d.Jar); err != nil {
		return err
	}
	d.classes = d.Jar
	d.spec.Build = "your build of " + d.Jar
	d.asFramework(manifest)
	if d.spec.Framework == quarkus {
		d.ofQuarkusFolder()
	}
	return nil
}

// asJVM begins the description of what is started on each JDK.
func (d *draft) asJVM(name string) {
	d.spec = server.Spec{Kind: server.KindJVM, Name: name, JVM: server.JVM{Collector: usualCollector, HeapMiB: usualHeapMiB}}
	d.why["jvm"] = "one collector and heap for all JDKs, or defaults would be compared; raise the heap if it is too small"
}

// asPlain is of what no setting of a framework tells its port or how it handles requests.
func (d *draft) asPlain(framework string) {
	d.spec.Framework = framework
	d.spec.Variants = []server.Variant{{Name: server.DefaultVariant, ConcurrencyModel: "platform-threads"}}
	d.why["variants"] = "say how it handles requests: platform-threads, virtual-threads or event-loop"
}

const (
	quarkus    = "Quarkus"
	springBoot = "Spring Boot"
)

// ofQuarkusFolder: quarkus-run.jar is the same in every build, and what was built lies beside it in app.
func (d *draft) ofQuarkusFolder() {
	built, err := filepath.Glob(filepath.Join(d.links[linkName], "app", "*.jar"))
	if err != nil || len(built) == 0 {
		return // one jar with all in it
	}
	d.spec.Artifact, d.classes = linkName, d.links[linkName]
	d.why["artifact"] = "app is a link to the folder of the jar; all files of it are in the server's digest"
	d.spec.Command[slices.Index(d.spec.Command, "{artifact}")] = "{artifact}/" + filepath.Base(d.Jar)
	if len(built) == 1 {
		d.spec.Name = jarName(built[0])
	}
}

func jarName(path string) string {
	return slug(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
}

// asFramework says how a jar of its framework gets its port.
func (d *draft) asFramework(manifest map[string]string) {
	told := strings.Contains(strings.Join(slices.Concat(d.options, d.Command), " "), "{port}")
	switch {
	case manifest["Spring-Boot-Version"] != "":
		d.spec.Framework = springBoot + " " + manifest["Spring-Boot-Version"]
		d.spec.Command = []string{"-jar", "{artifact}"}
		if !told {
			d.spec.Command = append(d.spec.Command, "--server.port={port}", "--server.address={address}")
		}
		d.spec.Variants = []server.Variant{{Name: "platform", ConcurrencyModel: "platform-threads"},
			{Name: "virtual", ConcurrencyModel: "virtual-threads", Args: []string{"--spring.threads.virtual.enabled=true"}}}
		d.why["variants"] = "the manifest says Spring Boot: of WebFlux leave one, with event-loop"
	case strings.HasPrefix(manifest["Main-Class"], "io.quarkus."):
		d.spec.Framework = quarkus
		d.spec.Command = []string{"-jar", "{artifact}"}
		if !told {
			d.spec.Command = slices.Concat([]string{"-Dquarkus.http.port={port}", "-Dquarkus.http.host={address}"}, d.spec.Command)
		}
		d.spec.Variants = []server.Variant{{Name: server.DefaultVariant, ConcurrencyModel: "event-loop"}}
	default:
		d.asPlain(cmp.Or(manifest["Implementation-Title"], "Java"))
		d.spec.Command = []string{"-jar", "{artifact}"}
	}
	d.spec.Command = append(d.spec.Command, d.Command...)
}

// readManifest is the main section of a jar's.
func readManifest(path string) (map[string]string, error) {
	jar, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer jar.Close()
	f, err := jar.Open("META-INF/MANIFEST.MF")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fields := map[string]string{}
	var last string
	lines := bufio.NewScanner(io.LimitReader(f, 1<<20))
	for lines.Scan() && lines.Text() != "" {
		if rest, goesOn := strings.CutPrefix(lines.Text(), " "); goesOn {
			fields[last] += rest
			continue
		}
		name, value, _ := strings.Cut(lines.Text(), ":")
		last = name
		fields[name] = strings.TrimSpace(value)
	}
	return fields, lines.Err()
}
