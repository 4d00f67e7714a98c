package draft

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/server"
)

// StartsJVM is whether a command line starts a JVM by itself.
func StartsJVM(command []string) bool {
	return len(command) > 0 && filepath.Base(command[0]) == "java"
}

// javaLine is what follows `java` on a command line.
type javaLine struct {
	options []string     // of the JVM; such as take their value from the next word are one word here
	paths   []pathOption // where classes and modules are
	jar     string       // of -jar
	main    []string     // the main class, or the option that names its module
	args    []string     // of the application
}

// pathOption is such as -cp, and what it names.
type pathOption struct{ option, value string }

var (
	pathOptions   = []string{"-cp", "-classpath", "--class-path", "-p", "--module-path"}
	moduleOptions = []string{"-m", "--module"}
	// otherOptions take their value from the next word, too.
	otherOptions = []string{"--add-modules", "--add-opens", "--add-exports", "--add-reads", "--limit-modules", "--patch-module",
		"--upgrade-module-path", "--enable-native-access"}
)

func takesNextWord(word string) bool {
	return word == "-jar" || slices.Contains(slices.Concat(pathOptions, moduleOptions, otherOptions), word)
}

func readJavaLine(words []string) (line javaLine, err error) {
	for len(words) > 0 {
		word, rest := words[0], words[1:]
		if takesNextWord(word) && len(rest) == 0 {
			return line, fmt.Errorf("%s stands at the end of the java command, and a value must follow it", word)
		}
		option, value, _ := strings.Cut(word, "=")
		if takesNextWord(word) {
			value, rest = rest[0], rest[1:]
		}
		switch {
		case word == "-jar":
			line.jar, line.args = value, rest
			return line, nil
		case slices.Contains(moduleOptions, option):
			line.main, line.args = []string{"-m", value}, rest
			return line, nil
		case slices.Contains(pathOptions, option):
			line.paths = append(line.paths, pathOption{option, value})
		case slices.Contains(otherOptions, option):
			line.options = append(line.options, option+"="+value)
		case strings.HasPrefix(word, "@"):
			return line, fmt.Errorf("%s reads further options from a file: write them out, so that server.yaml has them", word)
		case strings.HasPrefix(word, "-"):
			line.options = append(line.options, word)
		case strings.HasSuffix(word, ".java"):
			return line, fmt.Errorf("%s would be compiled at each start: compile it, and name its class", word)
		default:
			line.main, line.args = []string{word}, rest
			return line, nil
		}
		words = rest
	}
	return line, errors.New("the java command names neither -jar nor a main class")
}

// ofJava is of a JVM's command line: a jar as if it were named alone, else what lies on its paths. It is started on each JDK, whichever
// `java` was named.
func (d *draft) ofJava() error {
	line, err := readJavaLine(d.Command[1:])
	if err != nil {
		return err
	}
	d.Command, d.options = line.args, line.options
	if d.Jar = line.jar; d.Jar != "" {
		err = d.ofJar()
	} else {
		err = d.ofPaths(line)
	}
	if err == nil {
		d.takeOptions()
	}
	return err
}

// ofPaths is of classes that lie in one folder, or in one jar.
func (d *draft) ofPaths(line javaLine) error {
	if len(line.paths) == 0 {
		return errors.New("the java command says nowhere where its classes are: name them by -cp")
	}
	class := line.main[len(line.main)-1]
	d.asJVM(slug(class[strings.LastIndexAny(class, "./")+1:]))
	var entries []string
	for _, p := range line.paths {
		entries = append(entries, entriesOf(p.value)...)
	}
	rewrite := func(string) string { return "{artifact}" }
	if jar := entries[0]; len(entries) == 1 && isArchive(jar) {
		if err := d.ofFile(jar); err != nil {
			return err
		}
		d.classes = jar
	} else {
		folder, err := folderOf(entries)
		if err != nil {
			return err
		}
		d.links[linkName], d.classes, d.spec.Artifact = folder, folder, linkName
		d.why["artifact"] = "app is a link to the folder of its classes and jars; all files of it are in the server's digest"
		rewrite = func(entry string) string { return within(folder, entry) }
	}
	d.spec.Build = "your build of " + entries[0]
	d.asPlain("Java")
	var command []string
	for _, p := range line.paths {
		var there []string
		for _, entry := range entriesOf(p.value) {
			there = append(there, rewrite(entry))
		}
		command = append(command, p.option, strings.Join(there, pathSeparator))
	}
	d.spec.Command = slices.Concat(command, line.main, d.Command)
	return nil
}

const (
	pathSeparator = string(filepath.ListSeparator)
	allJars       = "/*" // at the end of an entry
)

// entriesOf a path: an empty one is the folder in which one is.
func entriesOf(value string) []string {
	entries := filepath.SplitList(value)
	for i, entry := range entries {
		if entry == "" {
			entries[i] = "."
		}
	}
	if len(entries) == 0 {
		return []string{"."}
	}
	return entries
}

// folderOf is the one that has all entries, and none beside an application's own: not that in which one is, to which results are written.
func folderOf(entries []string) (string, error) {
	here, err := filepath.Abs(".")
	if err != nil {
		return "", err
	}
	folder := ""
	for _, entry := range entries {
		at, err := filepath.Abs(strings.TrimSuffix(entry, allJars))
		if err != nil {
			return "", err
		}
		if !isDir(at) {
			at = filepath.Dir(at)
		}
		if folder == "" {
			folder = at
		}
		for !lies(at, folder) {
			folder = filepath.Dir(folder)
		}
	}
	if lies(here, folder) {
		return "", fmt.Errorf("what the java command names lies in %s and below, and all files there would be in the server's digest: bring classes and jars "+
			"into one folder of their own, as `mvn dependency:copy-dependencies` and `gradle installDist` do, and name what is in it", folder)
	}
	return folder, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// lies is whether a path is a folder, or lies in it. Both are absolute.
func lies(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// within is an entry as it is called in the artifact, which is its folder.
func within(folder, entry string) string {
	name, all := strings.CutSuffix(entry, allJars)
	whole, err := filepath.Abs(name)
	if err != nil {
		return entry
	}
	called := "{artifact}" + strings.TrimPrefix(whole, folder)
	if all {
		called += allJars
	}
	return called
}

// takeOptions parts the JVM's options: what has a placeholder goes where these are filled in, heap and collector have fields of their own, and
// what the agent sets itself is left out, which is said.
func (d *draft) takeOptions() {
	var first []string
	for _, option := range d.options {
		heap, collector := heapOf(option), collectorOf(option)
		switch why := server.Managed(option); {
		case strings.Contains(option, "{"):
			first = append(first, option)
		case heap > 0:
			d.spec.JVM.HeapMiB = heap
		case collector != "":
			d.spec.JVM.Collector = collector
		case why != "":
			d.leftOut = append(d.leftOut, option+" "+why)
		default:
			d.spec.JVM.Options = append(d.spec.JVM.Options, option)
		}
	}
	d.spec.Command = slices.Concat(first, d.spec.Command)
}

var heapForm = regexp.MustCompile(`^-Xmx([0-9]{1,9})([kKmMgG]?)$`)

// heapOf is what an option gives to the heap, in MiB; 0: it gives none, or less than a heap may be.
func heapOf(option string) int {
	const leastMiB, mostMiB = 16, 1 << 20 // as server.yaml has it
	found := heapForm.FindStringSubmatch(option)
	if found == nil {
		return 0
	}
	size, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	mib := size << map[string]int{"": 0, "k": 10, "m": 20, "g": 30}[strings.ToLower(found[2])] >> 20
	if mib < leastMiB || mib > mostMiB {
		return 0
	}
	return mib
}

// collectorOf is the one that an option picks; empty: it picks none.
func collectorOf(option string) string {
	for _, collector := range server.Collectors {
		if flags, err := server.CollectorFlags(collector, lowestJava); err == nil && flags[0] == option {
			return collector
		}
	}
	return ""
}
