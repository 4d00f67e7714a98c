package diagnose

import (
	"strings"
	"testing"
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
	for name, want := range map[string]Size{"byte[]": {100, 4000}, "java.lang.String[][]": {20, 900}, "app.Work$$Lambda": {3, 96}} {
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
	c := Compare(Heap{"a": {1, 10}}, Heap{"b": {2, 20}})
	if len(c.Listed) != 2 || c.Listed[0].Name != "b" || *c.Listed[0].Before != (Size{}) || *c.After != (Size{2, 20}) {
		t.Errorf("%+v", c)
	}
	if c = Compare(nil, Heap{"b": {2, 20}}); c.Before != nil || c.Listed[0].Before != nil {
		t.Errorf("without a histogram before: %+v", c)
	}
}
