package load

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// The fixture is read by the service's tests too: both must see the same figures.
var (
	update  = flag.Bool("update", false, "write "+fixture+" anew")
	fixture = filepath.Join("..", "..", "..", "backend", "api", "examples", "hdr-v2.json")
)

type hdrFixture struct {
	Schema string    `json:"schema"`
	Note   string    `json:"note"`
	Cases  []hdrCase `json:"cases"`
}

type hdrCase struct {
	Name    string     `json:"name"`
	Values  []hdrValue `json:"values"`
	Encoded string     `json:"encoded"`
	Summary *Summary   `json:"summary"` // null: empty
}

type hdrValue struct {
	Value int64 `json:"value"` // ns
	Count int64 `json:"count"`
}

func hdrCases() []hdrCase {
	uniform := []hdrValue{}
	for v := int64(1); v <= 1000; v++ {
		uniform = append(uniform, hdrValue{v * 1_000_003, 1})
	}
	return []hdrCase{
		{Name: "empty", Values: []hdrValue{}},
		{Name: "one zero", Values: []hdrValue{{0, 1}}},
		{Name: "least and most", Values: []hdrValue{{1, 1}, {int64(highest), 1}}},
		{Name: "odd count: the rank of a percentile is rounded up", Values: []hdrValue{{10, 1}, {20, 1}, {30, 1}}},
		{Name: "large counts", Values: []hdrValue{{101_000_000, 123_456_789}, {250_000_000, 63}, {251_000_000, 64}, {30_000_000_000, 8192}}},
		{Name: "a thousand different", Values: uniform},
		{Name: "neighbouring and distant buckets", Values: []hdrValue{{2047, 1}, {2048, 2}, {2049, 3}, {2051, 4}, {4096, 5}, {1_000_000_000, 6}}},
	}
}

func TestHistogram_fixtureIsCurrent(t *testing.T) {
	want := hdrFixture{Schema: "loomboard.hdr-fixture/1",
		Note: "Values in ns, histogram of 1 ns to 5 min with 3 digits, HDR V2 compressed, base64. The summary is what HdrHistogram 2.2.2 states."}
	for _, c := range hdrCases() {
		h := NewHistogram()
		for _, v := range c.Values {
			if err := h.RecordValues(v.Value, v.Count); err != nil {
				t.Fatal(err)
			}
		}
		encoded, err := EncodeHistogram(h)
		if err != nil {
			t.Fatal(err)
		}
		c.Encoded, c.Summary = encoded, Summarize(h)
		want.Cases = append(want.Cases, c)
	}
	if *update {
		text, err := json.MarshalIndent(want, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(fixture, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatalf("%v; write it with go test -run fixture -update", err)
	}
	var got hdrFixture
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(got.Cases, want.Cases, sameCase) {
		t.Error("the fixture differs from what this code makes; if that is meant, run go test -run fixture -update")
	}
}

// sameCase compares content: another zlib may pack the same bytes differently.
func sameCase(a, b hdrCase) bool {
	ha, errA := DecodeHistogram(a.Encoded)
	hb, errB := DecodeHistogram(b.Encoded)
	return errA == nil && errB == nil && ha.Equals(hb) && a.Name == b.Name && slices.Equal(a.Values, b.Values) &&
		(a.Summary == nil) == (b.Summary == nil) && (a.Summary == nil || *a.Summary == *b.Summary)
}

func TestHistogram_survivesEncoding(t *testing.T) {
	for _, c := range hdrCases() {
		h := NewHistogram()
		for _, v := range c.Values {
			if err := h.RecordValues(v.Value, v.Count); err != nil {
				t.Fatal(err)
			}
		}
		encoded, err := EncodeHistogram(h)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeHistogram(encoded)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if !back.Equals(h) {
			t.Errorf("%s: changed by encoding", c.Name)
		}
	}
}

func TestRank_isJavasRule(t *testing.T) {
	for _, c := range []struct {
		p     float64
		count int64
		want  int64
	}{
		{50, 1, 1},
		{50, 2, 1},     // ceil(1 − ulp)
		{50, 3, 2},     // ceil(1.5)
		{99, 3, 3},     // ceil(2.97)
		{99, 100, 99},  // ceil(99 − ulp)
		{99, 101, 100}, // ceil(99.99)
		{99.9, 10, 10}, // ceil(9.99)
		{99.9, 2000, 1998},
		{90, 1_000_000, 900_000},
	} {
		if got := rank(c.p, c.count); got != c.want {
			t.Errorf("rank of p%v of %d = %d, want %d", c.p, c.count, got, c.want)
		}
	}
}

// The library walks its buckets in another way: both must agree on all of them.
func TestSummarize_agreesWithTheLibrary(t *testing.T) {
	for _, c := range hdrCases() {
		h := NewHistogram()
		for _, v := range c.Values {
			_ = h.RecordValues(v.Value, v.Count)
		}
		got := Summarize(h)
		if got == nil {
			if h.TotalCount() != 0 {
				t.Errorf("%s: no summary of %d values", c.Name, h.TotalCount())
			}
			continue
		}
		if got.Count != h.TotalCount() || got.Min != h.Min() || got.Max != h.Max() || math.Abs(got.Mean/max(1, h.Mean())-min(1, h.Mean())) > 1e-9 {
			t.Errorf("%s: %+v, the library says count %d min %d max %d mean %v", c.Name, got, h.TotalCount(), h.Min(), h.Max(), h.Mean())
		}
		// The library rounds ranks: ask it for exact ones.
		for p, value := range map[float64]int64{50: got.P50, 90: got.P90, 95: got.P95, 99: got.P99, 99.9: got.P999} {
			exact := 100 * float64(rank(p, h.TotalCount())) / float64(h.TotalCount())
			if want := h.ValueAtPercentile(exact); value != want {
				t.Errorf("%s: p%v = %d, the library says %d", c.Name, p, value, want)
			}
		}
	}
}

func TestHistogram_mergeIsExact(t *testing.T) {
	a, b, both := NewHistogram(), NewHistogram(), NewHistogram()
	for i := range int64(10_000) {
		v := i * i * 1000
		_ = both.RecordValue(v)
		if i%3 == 0 {
			_ = a.RecordValue(v)
		} else {
			_ = b.RecordValue(v)
		}
	}
	if dropped := a.Merge(b); dropped != 0 || !a.Equals(both) {
		t.Errorf("merging dropped %d values or changed them", dropped)
	}
}

func BenchmarkPack(b *testing.B) {
	h := NewHistogram()
	for i := range 2000 {
		_ = h.RecordValue(int64(100*time.Millisecond) + int64(i)*1000)
	}
	for b.Loop() {
		if len(encodeCounts(h.Export().Counts)) == 0 {
			b.Fatal("nothing")
		}
	}
}

func TestUnpack_addsWhatWasPackedAndRefusesWhatIsNot(t *testing.T) {
	h := NewHistogram()
	for _, v := range []int64{1, 5, 5, 2047, int64(time.Second), int64(highest)} {
		_ = h.RecordValue(v)
	}
	packed := encodeCounts(h.Export().Counts)
	once, sum := make([]int64, buckets), make([]int64, buckets)
	if err := errors.Join(unpack(packed, once, sum), unpack(packed, sum)); err != nil {
		t.Fatal(err)
	}
	for i, n := range h.Export().Counts {
		if once[i] != n || sum[i] != 2*n {
			t.Fatalf("bucket %d: %d and %d, want %d and %d", i, once[i], sum[i], n, 2*n)
		}
	}
	for _, bad := range [][]byte{{0x80}, encodeCounts(append(make([]int64, buckets), 1)), binary.AppendVarint(nil, -int64(buckets)-1)} {
		if unpack(bad, once) == nil {
			t.Errorf("%x was taken", bad)
		}
	}
}
