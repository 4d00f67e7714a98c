package jdk

import (
	"maps"
	"os"
	"slices"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

func TestParseFlags_readsWhatTheJVMChoseAndNotWhatItWasGiven(t *testing.T) {
	got := parseFlags(`[Global flags]
      int ActiveProcessorCount                     = 4                                         {product} {command line}
    ccstr CompilationMode                          = high-only, it is                          {product} {default}
ccstrlist CompileOnly                              =                                           {product} {default}
     intx CICompilerCount                          := 3                                     {pd product} {ergonomic}
     bool AlignVector                              = false                                  {C2 product} {default}
     bool IntelJccErratumMitigation                = false                             {ARCH diagnostic} {ergonomic}
     bool HeapDumpOnOutOfMemoryError               = false                                  {manageable} {default}
     uint G1RemSetHowlNumBuckets                   = 8                                    {experimental} {ergonomic}
     bool UseG1GC                                  = true                                      {product} {config file}
openjdk version "28-ea" 2027-03-23
`)
	want := map[string]api.JDKFlag{
		"CompilationMode":            {Value: "high-only, it is", Kind: "product", Origin: "default"},
		"CompileOnly":                {Value: "", Kind: "product", Origin: "default"},
		"CICompilerCount":            {Value: "3", Kind: "product", Origin: "ergonomic"},
		"AlignVector":                {Value: "false", Kind: "product", Origin: "default"},
		"IntelJccErratumMitigation":  {Value: "false", Kind: "diagnostic", Origin: "ergonomic"},
		"HeapDumpOnOutOfMemoryError": {Value: "false", Kind: "manageable", Origin: "default"},
		"G1RemSetHowlNumBuckets":     {Value: "8", Kind: "experimental", Origin: "ergonomic"},
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// The JDKs that are really here have all of them, and the same at each start.
func TestFlags_ofThisMachine(t *testing.T) {
	inv, err := Discover(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(inv.Builds))
	for _, b := range inv.Builds {
		first, err := b.Flags(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Flags(t.Context())
		if err != nil || !maps.Equal(first.Flags, again.Flags) {
			t.Errorf("%s: %v, or another start gives other flags", b.Slug, err)
		}
		kinds := map[string]bool{}
		for _, f := range first.Flags {
			kinds[f.Kind] = true
		}
		if len(kinds) != 4 || len(first.Flags) < 700 {
			t.Errorf("%s: %d flags of %v", b.Slug, len(first.Flags), slices.Collect(maps.Keys(kinds)))
		}
	}
}

// A value that some build has by itself may be set on all; another may not, whatever the flag.
func TestOwnDefaults_areValuesOfTheBuildsAndNothingElse(t *testing.T) {
	prints := func(lines string) Build {
		return Build{Home: fakeJDK{script: "#!/bin/sh\ncat <<'END'\n" + lines + "END\n"}.install(t, t.TempDir())}
	}
	builds := []Build{
		prints("     bool UseTable   = true   {diagnostic} {default}\n     intx Lines   = 8   {product} {ergonomic}\n    ccstr Mode   = fast   {product} {default}\n"),
		prints("     bool UseTable   = false  {diagnostic} {default}\n     intx Lines   = 16  {product} {ergonomic}\n"),
	}
	options := []string{"-XX:+UseTable", "-XX:-UseTable", "-XX:Lines=8", "-XX:Lines=16", "-XX:Mode=fast",
		"-XX:Lines=9", "-XX:Mode=slow", "-XX:+Lines", "-XX:UseTable", "-XX:+Unknown", "-XX:Unknown=", "-Xint", "-XX:OnError=rm", "-javaagent:x"}
	got, err := OwnDefaults(t.Context(), builds, options)
	slices.Sort(got)
	want := append([]string{}, options[:5]...)
	want = append(want, unlocking...)
	slices.Sort(want)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := OwnDefaults(t.Context(), builds, options[5:]); err != nil || len(got) > 0 {
		t.Errorf("of none got %v, %v", got, err)
	}
	if got, err := OwnDefaults(t.Context(), []Build{{Home: "/nowhere"}}, options); err == nil {
		t.Errorf("of a build that does not start got %v", got)
	}
}

func TestFlags_ofABuildThatPrintsNone(t *testing.T) {
	home := fakeJDK{script: "#!/bin/sh\necho nothing\n"}.install(t, t.TempDir())
	if f, err := (Build{Home: home}).Flags(t.Context()); err == nil {
		t.Errorf("got %+v", f)
	}
	if err := os.RemoveAll(home + "/bin"); err != nil {
		t.Fatal(err)
	}
	if f, err := (Build{Home: home}).Flags(t.Context()); err == nil {
		t.Errorf("without a launcher got %+v", f)
	}
}
