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
