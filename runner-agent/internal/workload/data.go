package workload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
)

// MostRows bounds what differs from hit to hit: each row is a request that is prepared before a step.
const MostRows = 10_000

// Data is rows of values, of which hits take one after the other by their number, and then the first again: two trials send the
// same.
type Data struct {
	File   string           `yaml:"file" json:"-"` // CSV whose first line names the columns
	Ranges map[string]Range `yaml:"ranges" json:"ranges,omitempty"`
	Rows   int              `yaml:"rows" json:"rows,omitempty"` // of ranges; 0: as many as the longest has values
	Seed   *uint64          `yaml:"seed" json:"seed,omitempty"` // nil: in their order; else a file's rows are shuffled, values of ranges drawn
	SHA256 string           `yaml:"-" json:"file,omitempty"`

	columns []string
	table   []map[string]any
}

// Range is of whole numbers, both ends included.
type Range struct {
	From int64 `yaml:"from" json:"from"`
	To   int64 `yaml:"to" json:"to"`
}

// values that there are; below 1: none.
func (r Range) values() int64 { return r.To - r.From + 1 }

// source of what a seed decides; the stream of PCG is specified.
func source(seed uint64) *rand.PCG { return rand.NewPCG(seed, 0) }

// fromRanges makes the rows.
func (d *Data) fromRanges() error {
	d.columns = slices.Sorted(maps.Keys(d.Ranges))
	rows := int64(d.Rows)
	for name, r := range d.Ranges {
		if r.values() < 1 {
			return fmt.Errorf("range %s: to is below from", name)
		}
		if d.Rows == 0 {
			rows = max(rows, r.values())
		}
	}
	if rows > MostRows {
		return fmt.Errorf("there are %d values, and at most %d rows: give fewer by rows", rows, MostRows)
	}
	var draw *rand.PCG
	if d.Seed != nil {
		draw = source(*d.Seed)
	}
	for k := range rows {
		row := map[string]any{}
		for _, name := range d.columns {
			r, at := d.Ranges[name], k
			if draw != nil {
				at = int64(draw.Uint64() >> 1) // with this many values they are practically equally likely
			}
			row[name] = r.From + at%r.values()
		}
		d.table = append(d.table, row)
	}
	return nil
}

// fromCSV reads the rows of a file.
func (d *Data) fromCSV(text []byte) error {
	in := csv.NewReader(bytes.NewReader(text))
	in.TrimLeadingSpace = true
	head, err := in.Read()
	if err != nil {
		return fmt.Errorf("its first line must name the columns: %w", err)
	}
	seen := map[string]bool{}
	for _, name := range head {
		if !nameForm.MatchString(name) || seen[name] {
			return fmt.Errorf("its first line must name the columns, each once, by letters, digits and _, is: %q", head)
		}
		seen[name] = true
	}
	d.columns = head
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if len(d.table) == MostRows {
			return fmt.Errorf("it has more than %d rows", MostRows)
		}
		row := map[string]any{}
		for i, name := range head {
			row[name] = fields[i]
		}
		d.table = append(d.table, row)
	}
	if len(d.table) == 0 {
		return errors.New("it has no row below its first line")
	}
	if d.Seed != nil {
		d.shuffle(source(*d.Seed))
	}
	return nil
}

// shuffle is that of Fisher and Yates.
func (d *Data) shuffle(draw *rand.PCG) {
	for i := len(d.table) - 1; i > 0; i-- {
		j := draw.Uint64() % uint64(i+1)
		d.table[i], d.table[j] = d.table[j], d.table[i]
	}
}
