// Package delay puts a network delay between a server and its database: a proxy in a
// process of its own, which holds back what it passes on.
package delay

import (
	"cmp"
	"fmt"
	"time"
)

// Delay is how long every packet takes longer, each way.
type Delay struct {
	ToDatabaseMs   int `json:"toDatabaseMs"`
	FromDatabaseMs int `json:"fromDatabaseMs"`
}

// MostMs is what a matrix may ask for.
const MostMs = 10_000

// Compare orders delays.
func Compare(a, b Delay) int {
	return cmp.Or(cmp.Compare(a.ToDatabaseMs, b.ToDatabaseMs), cmp.Compare(a.FromDatabaseMs, b.FromDatabaseMs))
}

// RoundTrip is what one question and its answer take longer, in ms.
func (d Delay) RoundTrip() float64 { return float64(d.ToDatabaseMs + d.FromDatabaseMs) }

// String is for people.
func (d Delay) String() string {
	return fmt.Sprintf("%d ms to the database, %d ms from it", d.ToDatabaseMs, d.FromDatabaseMs)
}

func millis(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
