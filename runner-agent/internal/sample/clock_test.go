package sample

import (
	"math"
	"testing"
)

func TestEffectiveClock_is_a_clock(t *testing.T) {
	ghz := EffectiveClock()
	t.Logf("%.3f GHz", ghz)
	if math.IsNaN(ghz) {
		t.Error("not plausible")
	}
}

func TestParseEffectiveFlags(t *testing.T) {
	got := parseEffectiveFlags(`[Global flags]
      int ActiveProcessorCount                     = -1                                        {product} {default}
     bool UseCompactObjectHeaders                  = true                            {product lp64_product} {default}
    uintx AdaptiveSizeMajorGCDecayTimeScale        = 10                                        {product} {default}
   size_t MaxHeapSize                              = 536870912                                 {product} {command line}
ccstrlist CompileOnly                              =                                           {product} {default}
    ccstr SharedArchiveFile                        =                                           {product} {default}
     bool UseG1GC                                  = true                                      {product} {ergonomic}
`)
	want := map[string]string{"ActiveProcessorCount": "-1", "UseCompactObjectHeaders": "true", "MaxHeapSize": "536870912",
		"SharedArchiveFile": "", "UseG1GC": "true"}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for name, value := range want {
		if v, ok := got[name]; !ok || v != value {
			t.Errorf("%s = %q, want %q", name, v, value)
		}
	}
}
