package server

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
)

func aLaunch(t *testing.T, feature int) Launch {
	t.Helper()
	s, err := LoadSpec("testdata/tiny/server.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return Launch{Build: jdk.Build{Home: "/opt/jdks/x", JDKBuild: api.JDKBuild{Slug: "x", Feature: feature}}, Spec: s, Variant: s.Variants[1],
		Dir: "/trials/1", Port: 20001, Allow: DefaultAllowList()}
}

func TestCommand_pins_collector_and_heap(t *testing.T) {
	for _, c := range []struct {
		collector string
		feature   int
		want      string
	}{
		{"", 28, "-XX:+UseG1GC"}, // the server's own
		{"Serial", 21, "-XX:+UseSerialGC"},
		{"Parallel", 25, "-XX:+UseParallelGC"},
		{"Shenandoah", 21, "-XX:+UseShenandoahGC"},
		{"ZGC", 21, "-XX:+UseZGC -XX:+ZGenerational"},
		{"ZGC", 25, "-XX:+UseZGC"}, // ZGenerational: 26 refuses to start with it
	} {
		l := aLaunch(t, c.feature)
		l.Collector = c.collector
		cmd, err := l.Command()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(cmd, " ")
		if want := "/trials/1/jdk/bin/java " + c.want + " -Xms128m -Xmx128m -Xlog:"; !strings.HasPrefix(got, want) {
			t.Errorf("%s on %d: %s, want it to begin %s", c.collector, c.feature, got, want)
		}
		if strings.Contains(got, "-agentpath") {
			t.Error("a scored trial carries an agent")
		}
	}
}

func TestCommand_leavesCollectorAndHeapToTheJVM(t *testing.T) {
	l := aLaunch(t, 28)
	l.Collector = Defaults
	cmd, err := l.Command()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(cmd, " "); !strings.HasPrefix(got, "/trials/1/jdk/bin/java -Xlog:") {
		t.Errorf("%s: it begins with options of its own", got)
	}
	if l.Heap() != 0 {
		t.Errorf("a heap of %d MiB, and nobody set it", l.Heap())
	}
}

func TestCommand_keeps_the_order_of_who_says_what(t *testing.T) {
	l := aLaunch(t, 25)
	l.Spec.JVM.Options = []string{"-Da=spec"}
	l.Variant.JVMOptions = []string{"-Da=variant"}
	l.Options = []string{"-XX:ActiveProcessorCount=2"}
	l.HeapMiB = 64
	l.ContentionLib = l.Dir + "/jvmti/agent.so"
	cmd, err := l.Command()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"-agentpath:" + l.Dir + "/jvmti/agent.so=contention.bin", "-Da=spec", "-Da=variant", "-XX:ActiveProcessorCount=2",
		"-Dsun.net.httpserver.nodelay=true", "-jar", "/trials/1/server/target/tiny.jar", "20001", "fail"}
	if got := cmd[len(cmd)-len(want):]; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	l.HeapMiB, l.Variant.HeapMiB = 0, 96
	if cmd, err := l.Command(); err != nil || !slices.Contains(cmd, "-Xms96m") || l.Heap() != 96 {
		t.Errorf("with a heap of its variant's: %q, %v", cmd, err)
	}
	if !slices.Contains(cmd, "-Xmx64m") || !slices.Contains(cmd, "-XX:+UsePerfData") || !slices.Contains(cmd, "-XX:+StartAttachListener") {
		t.Errorf("%q", cmd)
	}
	portable := strings.Join(l.Portable(cmd), " ")
	for _, secret := range []string{"/opt/jdks", "/trials", l.Spec.Dir} {
		if strings.Contains(portable, secret) {
			t.Errorf("%s names the machine's %s", portable, secret)
		}
	}
	for _, part := range []string{"{jdk}/bin/java", "{server}/target/tiny.jar", "{trial}/tmp", "{trial}/jvmti/agent.so"} {
		if !strings.Contains(portable, part) {
			t.Errorf("%s lacks %s", portable, part)
		}
	}
}

func TestCommand_refuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Launch)
		want   string
	}{
		"a JDK too old":              {func(l *Launch) { l.Spec.Java = 28 }, "needs Java 28"},
		"an option not on the list":  {func(l *Launch) { l.Options = []string{"-XX:NativeMemoryTracking=detail"} }, "not on this machine's list"},
		"a command":                  {func(l *Launch) { l.Options = []string{"-XX:OnError=rm"} }, "has the JVM run a command"},
		"all refused ones, together": {func(l *Launch) { l.Options = []string{"-Xmx9g", "-Dx=y"} }, `"-Dx=y"`},
		"an empty list allows none":  {func(l *Launch) { l.Allow = nil; l.Options = []string{"-Xss1m"} }, "not on this machine's list"},
		"an unknown collector":       {func(l *Launch) { l.Collector = "Epsilon" }, "Epsilon"},
	} {
		l := aLaunch(t, 27)
		c.change(&l)
		if cmd, err := l.Command(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v %v", name, cmd, err)
		}
	}
}

func TestAllowList_covers_only_bare_values(t *testing.T) {
	a := DefaultAllowList()
	good := []string{"-Xss512k", "-XX:ActiveProcessorCount=2", "-XX:+UseCompactObjectHeaders", "--enable-preview", "-Djdk.virtualThreadScheduler.parallelism=4"}
	if err := a.Check(good, true); err != nil {
		t.Error(err)
	}
	// Even entries that cover everything let neither managed options nor paths nor commands in.
	wide := AllowList{"-*", "-XX:OnOutOfMemoryError=*", "-javaagent:*"}
	for _, bad := range []string{"-XX:+UseSerialGC", "-Xmx1g", "-Xms1g", "-XX:MaxHeapSize=1g", "-XX:-UsePerfData", "-XX:+DisableExplicitGC",
		"-XX:+ExplicitGCInvokesConcurrent", "-Xlog:gc", "-agentpath:/x.so", "-javaagent:x.jar", "-XX:OnOutOfMemoryError=reboot", "-XX:StartFlightRecording=x",
		"-XX:Flags=/etc/x", "@/etc/args", "-XX:OnError=echo x", "-XX:HeapDumpPath=/etc", "Main", "-cp /x", "-Xbootclasspath/a:x"} {
		if wide.Check([]string{bad}, true) == nil {
			t.Errorf("%q was let through", bad)
		}
	}
	// Where the JVM chooses collector and heap, a list may let them in; all else stays.
	own := AllowList{"-XX:InitialHeapSize=416284672", "-XX:+UseSerialGC", "-XX:-UsePerfData"}
	if err := own.Check([]string{"-XX:InitialHeapSize=416284672", "-XX:+UseSerialGC"}, false); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"-XX:InitialHeapSize=8m", "-Xmx1g", "-XX:-UsePerfData"} {
		if own.Check([]string{bad}, false) == nil {
			t.Errorf("%q was let through where the JVM chooses", bad)
		}
	}
}

func TestEnvironment_leaves_behind_what_changes_the_JVM(t *testing.T) {
	env := map[string]string{"PATH": "/bin", "HOME": "/h", "JAVA_TOOL_OPTIONS": "-Xint", "JDK_JAVA_OPTIONS": "-Xint", "SPRING_PROFILES_ACTIVE": "x", "MALLOC_ARENA_MAX": "1"}
	if got := (Launch{}).environment(func(n string) string { return env[n] }); !slices.Equal(got, []string{"PATH=/bin", "HOME=/h"}) {
		t.Errorf("%q", got)
	}
}

func TestEnvironment_is_longer_by_the_padding(t *testing.T) {
	none := func(string) string { return "" }
	for _, n := range []int{1, 4095} {
		if got := (Launch{Padding: n}).environment(none); len(got) != 1 || len(got[0]) != len("LOOMBOARD_PADDING=")+n {
			t.Errorf("padding of %d: %d bytes of %d variables", n, len(strings.Join(got, "")), len(got))
		}
	}
	if got := (Launch{}).environment(none); len(got) != 0 {
		t.Errorf("without a padding: %q", got)
	}
}

func TestReadAhead_readsTheJDKAndTheArtefact(t *testing.T) {
	l := Launch{Spec: Spec{Dir: t.TempDir(), Artifact: "server.jar"}}
	l.Build.Home = t.TempDir()
	if n, err := l.ReadAhead(); err != nil || n != 0 {
		t.Errorf("of nothing %d bytes, %v", n, err)
	}
	for path, size := range map[string]int{filepath.Join(l.Build.Home, "lib", "modules"): 100_000,
		filepath.Join(l.Build.Home, "lib", "server", "libjvm.so"): 20_000, l.Spec.ArtifactPath(): 3_000} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := l.ReadAhead(); err != nil || n != 123_000 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestCommand_refuses_more_CPUs_than_are_left_to_the_server(t *testing.T) {
	l := aLaunch(t, 25)
	l.CPUs, l.Limits.CPU = api.CPUSet{2, 3}, 2
	if _, err := l.Command(); err != nil {
		t.Error(err)
	}
	l.Limits.CPU = 2.5
	if _, err := l.Command(); err == nil || !strings.Contains(err.Error(), "may have 2.5 CPUs by its limits, but only 2 are left") {
		t.Errorf("%v", err)
	}
}
