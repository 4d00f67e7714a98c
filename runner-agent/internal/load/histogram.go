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

// highest is the largest value a histogram holds; anything above is entered as it.
const highest = 5 * time.Minute

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(highest), 3)
}

// histogramPool saves clearing a quarter of a megabyte per quantity and second.
type histogramPool struct{ pool sync.Pool }

func (p *histogramPool) get() *hdrhistogram.Histogram {
	if h, ok := p.pool.Get().(*hdrhistogram.Histogram); ok {
		h.Reset()
		return h
	}
	return newHistogram()
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
	counts := encodeCounts(h.Export().Counts)
	payload := make([]byte, 0, 40+len(counts))
	for _, word := range []uint32{0x1c849303 | 0x10, uint32(len(counts)), 0, uint32(h.SignificantFigures())} {
		payload = binary.BigEndian.AppendUint32(payload, word)
	}
	for _, word := range []uint64{uint64(h.LowestTrackableValue()), uint64(h.HighestTrackableValue()), math.Float64bits(1)} {
		payload = binary.BigEndian.AppendUint64(payload, word)
	}
	payload = append(payload, counts...)

	var packed bytes.Buffer
	packed.Write(make([]byte, 8)) // cookie and length, filled in below
	w := zlib.NewWriter(&packed)
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

// Summarize returns nil for an empty histogram.
func Summarize(h *hdrhistogram.Histogram) *Summary {
	if h.TotalCount() == 0 {
		return nil
	}
	return &Summary{
		Count: h.TotalCount(), Min: h.Min(), Mean: h.Mean(), Max: h.Max(),
		P50: Percentile(h, 50), P90: Percentile(h, 90), P95: Percentile(h, 95),
		P99: Percentile(h, 99), P999: Percentile(h, 99.9),
	}
}

// Percentile is Java's rule: the value at rank ceil(p/100 × count), after p is
// lowered by one ulp. The Go library rounds the rank to nearest instead, which
// differs by one rank in small windows.
func Percentile(h *hdrhistogram.Histogram, p float64) int64 {
	count := float64(h.TotalCount())
	rank := max(1, math.Ceil(math.Nextafter(p, math.Inf(-1))*count/100))
	return h.ValueAtPercentile(rank / count * 100)
}
