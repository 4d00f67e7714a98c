package api

import (
	"encoding/json"
	"math"
	"strconv"
)

// Ticks are samples, column by column. Every column is as long as AtNs.
type Ticks struct {
	AtNs    []int64           `json:"atNs"`   // since the trial's start, monotonic
	LateNs  []int64           `json:"lateNs"` // how long after its tick each sample was taken
	Columns map[string]Values `json:"columns"`
}

// Values are the readings of one column; NaN: missing.
type Values []float64

// MarshalJSON writes missing readings as null.
func (v Values) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 2+12*len(v))
	out = append(out, '[')
	for i, f := range v {
		if i > 0 {
			out = append(out, ',')
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			out = append(out, "null"...)
		} else {
			out = appendNumber(out, f)
		}
	}
	return append(out, ']'), nil
}

// appendNumber writes bytes and counts in full, as encoding/json does.
func appendNumber(out []byte, f float64) []byte {
	form := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		form = 'g'
	}
	return strconv.AppendFloat(out, f, form, -1, 64)
}

// UnmarshalJSON reads null as missing.
func (v *Values) UnmarshalJSON(text []byte) error {
	var raw []*float64
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*v = make(Values, len(raw))
	for i, p := range raw {
		if p == nil {
			(*v)[i] = math.NaN()
		} else {
			(*v)[i] = *p
		}
	}
	return nil
}
