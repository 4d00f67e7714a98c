package draft

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/server"
	"loomboard.dev/agent/internal/testbed"
)

func TestOfJava_ofAJarIsAsOfTheJarAlone(t *testing.T) {
	jar := aJar(t, "shop-1.0.jar", "Main-Class: x\nSpring-Boot-Version: 4.0.1\n")
	d, err := Wish{Command: []string{"/opt/jdk/bin/java", "-Xmx2g", "-Xms64m", "-XX:+UseParallelGC", "--add-opens", "java.base/java.lang=ALL-UNNAMED",
		"-Dserver.port={port}", "-jar", jar, "--spring.profiles.active=load"}}.begin()
	if err != nil {
		t.Fatal(err)
	}
	if !d.spec.HasJVM() || d.spec.Name != "shop" || d.spec.Artifact != "app/shop-1.0.jar" || len(d.spec.Variants) != 2 ||
		!slices.Equal(d.spec.Command, []string{"-Dserver.port={port}", "-jar", "{artifact}", "--spring.profiles.active=load"}) {
		t.Errorf("%+v", d.spec)
	}
	if jvm := d.spec.JVM; jvm.HeapMiB != 2048 || jvm.Collector != "Parallel" || !slices.Equal(jvm.Options, []string{"--add-opens=java.base/java.lang=ALL-UNNAMED"}) {
		t.Errorf("%+v", jvm)
	}
	if !slices.Equal(d.leftOut, []string{"-Xms64m sets the heap, which heapMiB does"}) {
		t.Errorf("left out: %q", d.leftOut)
	}
}

func TestOfJava_takesTheFolderOfItsPaths(t *testing.T) {
	work := t.TempDir()
	for _, folder := range []string{"target/classes", "target/lib", "here"} {
		if err := os.MkdirAll(filepath.Join(work, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	jar := filepath.Join(work, "target", "lib", "a.jar")
	if err := os.WriteFile(jar, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(work, "here"))
	for line, want := range map[string]struct{ name, artifact, command string }{
		"-cp ../target/classes:../target/lib/* com.shop.OrderMain 1":     {"ordermain", "app", "-cp {artifact}/classes:{artifact}/lib/* com.shop.OrderMain 1"},
		"-classpath " + jar + ":" + work + "/target/classes shop.Main":   {"main", "app", "-classpath {artifact}/lib/a.jar:{artifact}/classes shop.Main"},
		"--class-path=../target/lib/* Main":                              {"main", "app", "--class-path {artifact}/* Main"},
		"-cp " + jar + " Main":                                           {"main", "app/a.jar", "-cp {artifact} Main"},
		"-p ../target/lib -m shop/com.shop.Start {port}":                 {"start", "app", "-p {artifact} -m shop/com.shop.Start {port}"},
		"-cp ../target/classes --module-path ../target/lib -m shop":      {"shop", "app", "-cp {artifact}/classes --module-path {artifact}/lib -m shop"},
		"-Xss1m --add-modules java.sql -ea -cp ../target/lib/a.jar Main": {"main", "app/a.jar", "-cp {artifact} Main"},
	} {
		d, err := Wish{Command: append([]string{"java"}, strings.Fields(line)...)}.begin()
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := strings.Join(d.spec.Command, " "); d.spec.Name != want.name || d.spec.Artifact != want.artifact || got != want.command {
			t.Errorf("%s: %s, %s, %s", line, d.spec.Name, d.spec.Artifact, got)
		}
	}
}

func TestHeapOf_isInMiB(t *testing.T) {
	for option, want := range map[string]int{"-Xmx512m": 512, "-Xmx2G": 2048, "-Xmx65536k": 64, "-Xmx67108864": 64, "-Xmx1k": 0, "-Xmx999999999g": 0, "-Xms1g": 0, "-Xmx": 0} {
		if got := heapOf(option); got != want {
			t.Errorf("%s: %d, want %d", option, got, want)
		}
	}
}

func TestMake_ofAJVMsCommandOnEachJDK(t *testing.T) {
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	testbed.Jar(t, found.Builds[0].Home, "../server/testdata/tiny/Tiny.java")
	content, err := os.ReadFile("../server/testdata/tiny/target/tiny.jar")
	if err != nil {
		t.Fatal(err)
	}
	jars := t.TempDir()
	if err := os.WriteFile(filepath.Join(jars, "tiny.jar"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	spec, text := made(t, Wish{Command: []string{"java", "-Xmx64m", "-Xss2m", "-Xlog:gc", "-cp", jars + "/*", "Tiny", "{port}"},
		Builds: found.Builds[:1]})
	if !spec.HasJVM() || spec.Name != "tiny" || spec.Java != lowestJava || spec.JVM.HeapMiB != 64 || !slices.Equal(spec.JVM.Options, []string{"-Xss2m"}) {
		t.Errorf("%+v\n%s", spec, text)
	}
	if _, err := spec.Digest(); err != nil {
		t.Error(err)
	}
}

// A script that starts a JVM is told how that could be measured.
func TestMake_saysHowTheJVMOfAProgramIsMeasuredOnEachJDK(t *testing.T) {
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	home := found.Builds[0].Home
	testbed.Jar(t, home, "../server/testdata/tiny/Tiny.java")
	jar, err := filepath.Abs("../server/testdata/tiny/target/tiny.jar")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "start")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec "+filepath.Join(home, "bin", "java")+" -cp "+jar+" Tiny \"$PORT\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var says bytes.Buffer
	if _, err := Make(t.Context(), Wish{Command: []string{script}, Folder: t.TempDir(), Work: t.TempDir(), Within: time.Minute, Says: &says}); err != nil {
		t.Fatal(err)
	}
	if want := "loomboard-agent init -- java -cp " + jar + " Tiny {port}\n"; !strings.Contains(says.String(), want) {
		t.Errorf("%s\ndoes not say: %s", &says, want)
	}
}

func TestJVMLine_isAsAShellTakesIt(t *testing.T) {
	root := testbed.Tree(t, map[string]string{
		"proc/7/cmdline": "sh\x00-c\x00x\x00",
		"proc/8/cmdline": "/opt/jdk/bin/java\x00-cp\x00lib/*\x00-Dname=it's\x00Main\x00--port=8091\x00",
	})
	for pid, program := range map[string]string{"7": "/bin/sh", "8": "/opt/jdk/bin/java"} {
		if err := os.Symlink(program, filepath.Join(root, "proc", pid, "exe")); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := jvmLine(root, []int{6, 7, 8}, 8091), `java -cp 'lib/*' '-Dname=it'\''s' Main --port={port}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := jvmLine(root, []int{7}, 8091); got != "" {
		t.Errorf("of a shell: %s", got)
	}
}

func TestStartsJVM_isToldByTheProgramsName(t *testing.T) {
	for program, want := range map[string]bool{"java": true, "/opt/jdk/bin/java": true, "javac": false, "./java-app": false} {
		if StartsJVM([]string{program}) != want {
			t.Errorf("%s: %v", program, !want)
		}
	}
	if StartsJVM(nil) || server.Managed("-Xlog:gc") == "" {
		t.Error("of nothing, or of a managed option")
	}
}
