package diagnose

import (
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

const histogramText = ` num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:            100           4000  [B (java.base@25.0.3)
   2:             20            900  [[Ljava.lang.String; (java.base@25.0.3)
   3:              2             64  app.Work$$Lambda/0x00007f1234567890
   4:              1             32  app.Work$$Lambda/0x00007f1234567abc
Total           123           4996
`

func TestParseHeap_namesTypesAsPeopleDo(t *testing.T) {
	heap, err := parseHeap(histogramText)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]api.HeapSize{"byte[]": {Instances: 100, Bytes: 4000}, "java.lang.String[][]": {Instances: 20, Bytes: 900}, "app.Work$$Lambda": {Instances: 3, Bytes: 96}} {
		if heap[name] != want {
			t.Errorf("%s: %+v, must be %+v", name, heap[name], want)
		}
	}
}

func TestParseHeap_refusesAnAnswerThatWasCutShort(t *testing.T) {
	lines := strings.SplitAfter(histogramText, "\n")
	for _, text := range []string{"", strings.Join(lines[:4], ""), strings.Join(lines[:4], "") + lines[6]} {
		if heap, err := parseHeap(text); err == nil {
			t.Errorf("%q was taken for %v", text, heap)
		}
	}
}

func TestCompare_keepsNotMeasuredApartFromNotThere(t *testing.T) {
	c := Compare(Heap{"a": {Instances: 1, Bytes: 10}}, Heap{"b": {Instances: 2, Bytes: 20}})
	if len(c.Listed) != 2 || c.Listed[0].Name != "b" || *c.Listed[0].Before != (api.HeapSize{}) || *c.After != (api.HeapSize{Instances: 2, Bytes: 20}) {
		t.Errorf("%+v", c)
	}
	if c = Compare(nil, Heap{"b": {Instances: 2, Bytes: 20}}); c.Before != nil || c.Listed[0].Before != nil {
		t.Errorf("without a histogram before: %+v", c)
	}
}
