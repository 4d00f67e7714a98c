package server

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/document"
)

var variableForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// readByJVM are variables by which a JVM takes options that nobody would see.
var readByJVM = []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "JAVA_OPTIONS"}

// check adds what a schema cannot say.
func (s Spec) check(doc *document.Document) {
	at := func(steps ...any) func(format string, args ...any) {
		return func(format string, args ...any) { doc.Addf(steps, format, args...) }
	}
	if s.Artifact != "" && (!filepath.IsLocal(s.Artifact) || filepath.Clean(s.Artifact) == ".") {
		at("artifact")("%q must be a path inside the server's folder", s.Artifact)
	}
	if u, err := url.Parse(s.URL); err != nil || u.Port() != "" && !isPort(u.Port()) {
		at("url")("must be the address of an application, such as http://localhost:8080, is: %q", s.URL)
	}
	s.checkPlaceholders(at)
	s.checkEnvironment(at)
	s.checkFiles(at)
	s.checkReadiness(at)
	checkManaged(at("jvm", "options"), s.JVM.Options)
	seen := map[string]bool{}
	for i, v := range s.Variants {
		if seen[v.Name] {
			at("variants", i, "name")("%q is there twice", v.Name)
		}
		seen[v.Name] = true
		checkManaged(at("variants", i, "jvmOptions"), v.JVMOptions)
	}
	for i, name := range s.Workloads {
		if slices.Contains(s.Workloads[:i], name) {
			at("workloads", i)("%q is there twice", name)
		}
	}
	for name := range s.Methods {
		if !slices.Contains(s.Workloads, name) {
			at("methods", name)("is not one of the server's workloads")
		}
	}
}

// finder gives what adds a problem of a field.
type finder func(steps ...any) func(format string, args ...any)

func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n > 0 && n <= 65535
}

func (s Spec) checkPlaceholders(at finder) {
	if s.Kind == KindURL {
		return
	}
	command := strings.Join(s.Command, " ")
	if s.Kind == KindContainer {
		s.checkImage(at, command)
	}
	names := strings.Contains(command, "{artifact}")
	switch {
	case s.HasJVM() && !names:
		at("command")("lacks {artifact}, which stands for what is started")
	case s.Kind == KindProcess && names && s.Artifact == "":
		at("command")("has {artifact}, and there is none: say by artifact which file of this folder is meant")
	}
	if s.Port == 0 && !strings.Contains(command+" "+strings.Join(slices.Collect(maps.Values(s.Environment)), " "), "{port}") {
		at("command")("lacks {port}, on which the server must listen; a variable of the environment may have it instead, " +
			"or port says on which it always does")
	}
	if joined := strings.Join(s.Database, " "); joined != "" && !strings.Contains(joined, "{database}") {
		at("database")("lacks {database}, which stands for its address and name")
	}
}

// checkImage wants one image, and a command that names no file of this machine: the container sees none.
func (s Spec) checkImage(at finder, command string) {
	switch {
	case s.Image == "" && s.Artifact == "":
		at("image")("is missing: the name of an image that the engine has, such as app:1; or name an archive of one by artifact")
	case s.Image != "" && s.Artifact != "":
		at("image")("and artifact are both there: leave the name or the archive out")
	}
	for _, name := range []string{"{artifact}", "{server}"} {
		if strings.Contains(command, name) {
			at("command")("has %s, and a container sees no files but those of its image", name)
		}
	}
}

func (s Spec) checkEnvironment(at finder) {
	for name, value := range s.Environment {
		if why := s.RefusesVariable(name, value); why != "" {
			at("environment", name)("%s", why)
		}
	}
}

// RefusesVariable says why its environment may not have a variable, or is empty.
func (s Spec) RefusesVariable(name, value string) (why string) {
	switch {
	case !variableForm.MatchString(name):
		return "is no name of a variable: letters, digits and _, not beginning with a digit"
	case s.HasJVM() && slices.Contains(readByJVM, name):
		return "hides options of the JVM: they belong into jvm.options"
	case strings.HasPrefix(name, "LOOMBOARD_"):
		return "is the agent's: give it another name"
	case s.Kind == KindContainer && strings.ContainsAny(value, "\r\n"):
		return "must be one line: engines take no more"
	case strings.Contains(value, "\x00"):
		return "must not have a NUL"
	}
	return ""
}

// checkFiles refuses what would lie where the agent's own files do, or outside the server's folder.
func (s Spec) checkFiles(at finder) {
	if s.WorkingFolder != "" && !filepath.IsLocal(s.WorkingFolder) {
		at("workingFolder")("%q must be a path inside the server's folder", s.WorkingFolder)
	}
	if s.WorkingFolder != "" && len(s.Files) > 0 {
		at("files")("are copied into a working folder of the trial's own: leave them or workingFolder out")
		return
	}
	taken := []string{JVMLogName, OutputName, ContentionName, tmpName, jdkLink, serverLink}
	for i, name := range s.Files {
		first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(name)), "/")
		switch add := at("files", i); {
		case !filepath.IsLocal(name):
			add("%q must be a path inside the server's folder", name)
		case slices.Contains(taken, first):
			add("%q is a name that the agent uses in the working folder: take another", name)
		case slices.Contains(s.Files[:i], name):
			add("%q is there twice", name)
		default:
			if _, err := s.file(name); err != nil {
				add("%s", err)
			}
		}
	}
}

func (s Spec) checkReadiness(at finder) {
	r := s.Readiness
	if r.Method != "" && r.Path == "" {
		at("readiness", "method")("is of a path, and there is none")
	}
	if _, err := regexp.Compile(r.Log); err != nil {
		at("readiness", "log")("%s", err)
	}
}

func checkManaged(add func(format string, args ...any), options []string) {
	var all []string
	for _, o := range options {
		if why := managed(o, true); why != "" {
			all = append(all, fmt.Sprintf("%q %s", o, why))
		}
	}
	if len(all) > 0 {
		add("%s", strings.Join(all, "; "))
	}
}
