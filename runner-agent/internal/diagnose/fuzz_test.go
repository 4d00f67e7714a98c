package diagnose

import (
	"strings"
	"testing"
)

// FuzzHeap: whatever a JVM answers for its class histogram, a heap that is taken adds up to the total that it says.
func FuzzHeap(f *testing.F) {
	f.Add(" num     #instances         #bytes  class name (module)\n" +
		"   1:            10           1000  [B (java.base@25)\nTotal            10           1000\n")
	f.Add("   1:             1             16  A\n   2:             2             48  LLambda/0x1\nTotal 3 64\n")
	f.Fuzz(func(t *testing.T, text string) {
		heap, err := parseHeap(text)
		if err != nil {
			return
		}
		for name, size := range heap {
			if size.Instances < 0 || size.Bytes < 0 {
				t.Fatalf("%q has %+v", name, size)
			}
		}
	})
}

// FuzzRecording: whatever the recording's reader prints, it is read to its end or refused.
func FuzzRecording(f *testing.F) {
	f.Add("stack\t3\tmain;a;b\nlock\tC\tT\tmain\t1\t2\t3\ngc\tG1\tcause\t1\t2\t3\nload\t{}\nlost\t0\nend\n")
	f.Add("waited\t1\t2\t3\nstarted\tvirtual\t1\t2\t3\npinned\twhy\t1\t2\t3\nunlisted\t4\nend\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseRecording(strings.NewReader(text))
		if (r == nil) == (err == nil) {
			t.Fatalf("%v and %v", r, err)
		}
	})
}
