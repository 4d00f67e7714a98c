package load

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Every histogram has the same shape, so they can be merged. Values above the
// highest are entered as it.
const (
	lowest  = 1 // ns
	highest = 5 * time.Minute
	digits  = 3
)

// buckets of every histogram.
var buckets = len(NewHistogram().Export().Counts)

// NewHistogram is empty and has the shape of all others.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(lowest, int64(highest), digits)
}

// histogramPool saves clearing a quarter of a megabyte per quantity and second.
type histogramPool struct{ pool sync.Pool }

func (p *histogramPool) get() *hdrhistogram.Histogram {
	if h, ok := p.pool.Get().(*hdrhistogram.Histogram); ok {
		h.Reset()
		return h
	}
	return NewHistogram()
}

func (p *histogramPool) put(h *hdrhistogram.Histogram) {
	if h != nil {
		p.pool.Put(h)
	}
}

// EncodeHistogram returns HDR V2 compressed base64, which HdrHistogram 2.2.2 for
// Java reads with Histogram.decodeFromCompressedByteBuffer after base64.
// The Go library's own encoder is not used: it writes a normalising index offset
// of 1, and by reflection for each bucket, which costs the load process too much
// once per quantity and second.
func EncodeHistogram(h *hdrhistogram.Histogram) (string, error) {
	return encode(h.Export().Counts)
}

// packers are costly to make: almost a megabyte each.
var packers = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}

func encode(all []int64) (string, error) {
	counts := encodeCounts(all)
	payload := make([]byte, 0, 40+len(counts))
	for _, word := range []uint32{0x1c849303 | 0x10, uint32(len(counts)), 0, digits} {
		payload = binary.BigEndian.AppendUint32(payload, word)
	}
	for _, word := range []uint64{lowest, uint64(highest), math.Float64bits(1)} {
		payload = binary.BigEndian.AppendUint64(payload, word)
	}
	payload = append(payload, counts...)

	var packed bytes.Buffer
	packed.Write(make([]byte, 8)) // cookie and length, filled in below
	w := packers.Get().(*zlib.Writer)
	defer packers.Put(w)
	w.Reset(&packed)
	if _, err := w.Write(payload); err != nil {
		return "", fmt.Errorf("load: compress a histogram: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("load: compress a histogram: %w", err)
	}
	out := packed.Bytes()
	binary.BigEndian.PutUint32(out, 0x1c849304|0x10)
	binary.BigEndian.PutUint32(out[4:], uint32(len(out)-8))
	return base64.StdEncoding.EncodeToString(out), nil
}

// encodeCounts writes each count as a zigzag LEB128 number and a run of zeros as
// one negative number, without the zeros after the last value. Counts stay far
// under 2^55, so the format's special ninth byte never occurs.
func encodeCounts(counts []int64) []byte {
	last := len(counts)
	for last > 0 && counts[last-1] == 0 {
		last--
	}
	var out []byte
	for i := 0; i < last; {
		zeros := i
		for counts[zeros] == 0 {
			zeros++
		}
		switch run := zeros - i; run {
		case 0:
			out = binary.AppendVarint(out, counts[i])
			i++
		case 1:
			out = binary.AppendVarint(out, 0)
			i++
		default:
			out = binary.AppendVarint(out, int64(-run))
			i = zeros
		}
	}
	return out
}

// DecodeHistogram reads what EncodeHistogram wrote.
func DecodeHistogram(encoded string) (*hdrhistogram.Histogram, error) {
	h, err := hdrhistogram.Decode([]byte(encoded))
	if err != nil {
		return nil, fmt.Errorf("load: decode a histogram of %d characters: %w", len(encoded), err)
	}
	return h, nil
}

// Summarize returns nil for an empty histogram, and for none.
func Summarize(h *hdrhistogram.Histogram) *Summary {
	if h == nil {
		return nil
	}
	return summarize(h.Export().Counts)
}

// summarize is one pass over the buckets. A percentile is the highest value
// equivalent to the one at rank ceil(p/100 × count), where p is lowered by one ulp
// first: Java's rule. The Go library rounds the rank to nearest instead.
func summarize(counts []int64) *Summary {
	var s Summary
	for _, n := range counts {
		s.Count += n
	}
	if s.Count == 0 {
		return nil
	}
	quantiles := []struct {
		into *int64
		rank int64
	}{
		{&s.P50, rank(50, s.Count)}, {&s.P90, rank(90, s.Count)}, {&s.P95, rank(95, s.Count)},
		{&s.P99, rank(99, s.Count)}, {&s.P999, rank(99.9, s.Count)}, {&s.Max, s.Count},
	}
	var sum float64
	var seen int64
	for i, n := range counts {
		if n == 0 {
			continue
		}
		seen += n
		low, size := bucket(i)
		if seen == n { // the first
			s.Min = low
		}
		sum += float64(n) * float64(low+size/2)
		for len(quantiles) > 0 && seen >= quantiles[0].rank {
			*quantiles[0].into = low + size - 1
			quantiles = quantiles[1:]
		}
	}
	s.Mean = sum / float64(s.Count)
	return &s
}

func rank(p float64, count int64) int64 {
	return max(1, int64(math.Ceil(math.Nextafter(p, math.Inf(-1))*float64(count)/100)))
}

// bucket is the least value of the bucket with this index and how many values
// share it. 3 digits from 1 ns: buckets of 2048 values, halved as they widen.
func bucket(index int) (low, size int64) {
	const half = 1024
	shift := index/half - 1
	if shift < 0 {
		return int64(index), 1
	}
	return int64(index%half+half) << shift, 1 << shift
}
