package jdk

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
)

// probeTimeout bounds one start of a JDK's launcher; a healthy one takes 0.1-0.2 s.
const probeTimeout = 20 * time.Second

// refusal is why a JDK is not measured, with the version it gave if it did.
type refusal struct{ version, reason string }

func (r refusal) Error() string { return r.reason }

// probe asks a JDK what it is.
func probe(ctx context.Context, home string, d *digests) (Build, error) {
	release := readRelease(filepath.Join(home, "release"))
	if v, err := ParseVersion(release["JAVA_VERSION"]); err == nil && v.Feature() < OldestFeature {
		return Build{}, tooOld(release["JAVA_VERSION"]) // without starting it
	}
	props, err := properties(ctx, home)
	if err != nil {
		return Build{}, refusal{release["JAVA_VERSION"], "broken: " + err.Error()}
	}
	runtimeVersion := props["java.runtime.version"]
	version, err := ParseVersion(runtimeVersion)
	if err != nil {
		return Build{}, refusal{runtimeVersion, "broken: " + err.Error()}
	}
	if version.Feature() < OldestFeature {
		return Build{}, tooOld(runtimeVersion)
	}
	if vm := props["java.vm.name"]; strings.Contains(vm, "OpenJ9") {
		return Build{}, refusal{runtimeVersion, fmt.Sprintf("its VM is %s: only HotSpot has the counters and logs that are compared", vm)}
	}
	lineage, err := lineageOf(ctx, home, props, release)
	if err != nil {
		return Build{}, refusal{runtimeVersion, "broken: " + err.Error()}
	}
	if lineage.DebugLevel != "release" {
		return Build{}, refusal{runtimeVersion, fmt.Sprintf("a %s build: its assertions make it incomparable; install a release build", lineage.DebugLevel)}
	}
	b := Build{Home: home, Version: version}
	b.Vendor = vendorSlug(props["java.vendor"], props["java.runtime.name"])
	b.RuntimeVersion, b.Arch, b.Lineage = runtimeVersion, props["os.arch"], lineage
	b.Feature, b.Stage = version.Feature(), version.Stage()
	if b.ModulesSHA256, err = d.of(filepath.Join(home, "lib", "modules")); err != nil {
		return Build{}, refusal{runtimeVersion, "broken: no image to digest: " + err.Error()}
	}
	if b.LibjvmSHA256, err = d.of(filepath.Join(home, "lib", "server", "libjvm.so")); err != nil {
		return Build{}, refusal{runtimeVersion, "broken: no server VM to digest: " + err.Error()}
	}
	b.Identity = digestOf(lineage.Vendor, b.RuntimeVersion, b.Arch, b.ModulesSHA256, b.LibjvmSHA256)
	b.Slug = Name(b.Vendor, version, b.Arch)
	return b, nil
}

func tooOld(version string) refusal {
	return refusal{version, fmt.Sprintf("older than %d, the first release with virtual threads", OldestFeature)}
}

// run starts one of the JDK's programs without the variables that would change
// its options behind our back.
func run(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=" + os.Getenv("HOME")}
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = fmt.Errorf("no answer in %s", probeTimeout)
		}
		return "", fmt.Errorf("%s %s: %w%s", program, strings.Join(args, " "), err, firstLine(out.String()))
	}
	return out.String(), nil
}

func firstLine(out string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}

// properties runs the launcher once and reads the system properties it prints.
func properties(ctx context.Context, home string) (map[string]string, error) {
	out, err := run(ctx, filepath.Join(home, "bin", "java"), "-XshowSettings:properties", "-version")
	if err != nil {
		return nil, err
	}
	props := map[string]string{}
	for line := range strings.SplitSeq(out, "\n") {
		// Four spaces, name, " = ": further lines of a list are indented deeper.
		if !strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "     ") {
			continue
		}
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok {
			props[name] = value
		}
	}
	for _, needed := range []string{"java.runtime.version", "java.vendor", "os.arch"} {
		if props[needed] == "" {
			return nil, fmt.Errorf("%s/bin/java -XshowSettings:properties does not print %s", home, needed)
		}
	}
	return props, nil
}

var (
	compilerForm = regexp.MustCompile(`with ((?:gcc|clang|MS VC\+\+|unknown)[^,()]*)`)
	debugForm    = regexp.MustCompile(`\b(fastdebug|slowdebug|optimized)\b`)
	libcForm     = regexp.MustCompile(`(?i)version (\d+\.\d+[.\d]*)`)
)

func lineageOf(ctx context.Context, home string, props, release map[string]string) (api.Lineage, error) {
	// A run of its own: -Xinternalversion exits before the properties are shown. 15 ms.
	internal, err := run(ctx, filepath.Join(home, "bin", "java"), "-Xinternalversion")
	if err != nil {
		return api.Lineage{}, err
	}
	internal = strings.TrimSpace(internal)
	l := api.Lineage{
		Vendor:     props["java.vendor"],
		Internal:   internal,
		Release:    release,
		DebugLevel: debugLevel(internal, props["jdk.debug"]),
	}
	if m := compilerForm.FindStringSubmatch(internal); m != nil {
		l.Compiler = strings.TrimSpace(m[1])
	}
	l.Libc = libcOf(ctx, home, release["LIBC"])
	archives, err := filepath.Glob(filepath.Join(home, "lib", "server", "classes*.jsa"))
	if err != nil {
		return api.Lineage{}, err
	}
	l.CDS = []string{}
	for _, a := range archives {
		l.CDS = append(l.CDS, filepath.Base(a))
	}
	major, _, _ := strings.Cut(l.Compiler, ".")
	l.Hash = digestOf(l.Vendor, major, l.Libc, l.DebugLevel, fmt.Sprint(len(l.CDS) > 0))
	return l, nil
}

func debugLevel(internal, property string) string {
	if property != "" {
		return property
	}
	if m := debugForm.FindStringSubmatch(internal); m != nil {
		return m[1]
	}
	return "release"
}

// libcOf names the C library the launcher is bound to. A JDK that brings its own
// loader brings its own allocator too, which is a difference of distributions.
func libcOf(ctx context.Context, home, kind string) string {
	if kind == "" {
		kind = "unknown"
	}
	interp := interpreter(filepath.Join(home, "bin", "java"))
	if interp == "" {
		return kind
	}
	out, err := run(ctx, interp, "--version")
	if err != nil {
		return kind
	}
	if m := libcForm.FindStringSubmatch(out); m != nil {
		kind += " " + strings.TrimSuffix(m[1], ".")
	}
	if strings.HasPrefix(interp, home+"/") {
		kind += " private"
	}
	return kind
}

func interpreter(program string) string {
	f, err := elf.Open(program)
	if err != nil {
		return "" // a wrapper script, for one
	}
	defer f.Close()
	section := f.Section(".interp")
	if section == nil {
		return ""
	}
	text, err := section.Data()
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(text), "\x00")
}

// readRelease reads the release file; a JDK without one has an empty map.
func readRelease(path string) map[string]string {
	facts := map[string]string{}
	text, err := os.ReadFile(path)
	if err != nil {
		return facts
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && name != "MODULES" {
			facts[name] = strings.Trim(value, `"`)
		}
	}
	return facts
}
