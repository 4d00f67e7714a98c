package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
)

// Heap is a class histogram of live objects, by class name.
type Heap map[string]api.HeapSize

// ReadHeap asks a JVM for its live objects, for which it collects garbage first.
func ReadHeap(ctx context.Context, attach sample.Attach) (Heap, error) {
	text, err := attach.Command(ctx, "GC.class_histogram")
	if err != nil {
		return nil, err
	}
	return parseHeap(text)
}

//	1:         12345        1234567  [B (java.base@21.0.1)
//
// Total       123456       12345678
var heapLine = regexp.MustCompile(`^\s*(?:\d+:|(Total))\s+(\d+)\s+(\d+)(?:\s+(\S+)(?: \(\S+\))?)?\s*$`)

// parseHeap holds the classes against the total that the JVM prints: an answer cut
// short must not look like a small heap.
func parseHeap(text string) (Heap, error) {
	heap, sum, total := Heap{}, api.HeapSize{}, api.HeapSize{Instances: -1, Bytes: -1}
	for line := range strings.Lines(text) {
		m := heapLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		instances, errInstances := strconv.ParseInt(m[2], 10, 64)
		bytes, errBytes := strconv.ParseInt(m[3], 10, 64)
		if err := cmp.Or(errInstances, errBytes); err != nil {
			return nil, fmt.Errorf("class histogram, line %q: %w", line, err)
		}
		if m[1] != "" {
			total = api.HeapSize{Instances: instances, Bytes: bytes}
			continue
		}
		name := typeName(m[4]) // hidden classes of one name are one
		heap[name] = api.HeapSize{
			Instances: heap[name].Instances + instances,
			Bytes:     heap[name].Bytes + bytes,
		}
		sum.Instances += instances
		sum.Bytes += bytes
		if sum.Instances < 0 || sum.Bytes < 0 {
			return nil, errors.New("the class histogram counts more than can be")
		}
	}
	if total != sum {
		return nil, fmt.Errorf("the class histogram adds up to %d bytes, its total says %d", sum.Bytes, total.Bytes)
	}
	return heap, nil
}

var (
	primitives = map[byte]string{'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long",
		'S': "short", 'Z': "boolean"}
	// hiddenClass is what a hidden class has after its name, another in every JVM.
	hiddenClass = regexp.MustCompile(`[/+](?:0x)?[0-9a-f]{6,}`)
)

// typeName is [[B as byte[][].
func typeName(name string) string {
	element := strings.TrimLeft(name, "[")
	dims := len(name) - len(element)
	if element == "" {
		return name // of no class that a JVM has
	}
	if dims > 0 {
		if p, ok := primitives[element[0]]; ok && len(element) == 1 {
			element = p
		} else {
			element = strings.TrimSuffix(strings.TrimPrefix(element, "L"), ";")
		}
	}
	return hiddenClass.ReplaceAllString(element, "") + strings.Repeat("[]", dims)
}

const mostClasses = 200

// Compare lists the classes of two histograms; nil: not measured.
func Compare(before, after Heap) api.HeapClasses {
	out := api.HeapClasses{
		Schema: api.SchemaClasses,
		Before: total(before),
		After:  total(after),
		Listed: []api.HeapClass{},
	}
	names := map[string]int64{}
	for _, heap := range []Heap{before, after} {
		for name, size := range heap {
			names[name] = max(names[name], size.Bytes)
		}
	}
	var sorted []string
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.SortFunc(sorted, func(a, b string) int { return cmp.Or(cmp.Compare(names[b], names[a]), cmp.Compare(a, b)) })
	for _, name := range sorted[:min(mostClasses, len(sorted))] {
		out.Listed = append(out.Listed, api.HeapClass{
			Name:   name,
			Before: before.of(name),
			After:  after.of(name),
		})
	}
	out.Omitted = len(sorted) - len(out.Listed)
	return out
}

func (h Heap) of(name string) *api.HeapSize {
	if h == nil {
		return nil
	}
	size := h[name]
	return &size
}

func total(h Heap) *api.HeapSize {
	if h == nil {
		return nil
	}
	sum := api.HeapSize{}
	for _, s := range h {
		sum.Instances += s.Instances
		sum.Bytes += s.Bytes
	}
	return &sum
}
