// Package sample reads what a server's JVM and its host do while they are under
// load, from sources that cost the JVM nothing, and forces collections.
package sample

import "math"

// Source is one origin of readings: one file of this package, one place on the
// machine. Read fills dst, one value per column in the order of Columns, and
// writes Missing where it has none. An error means every column is missing.
type Source interface {
	Name() string
	Columns() []string
	Read(dst []float64) error
}

// Missing stands for a reading that could not be taken. It is never zero, and
// travels as null.
var Missing = math.NaN()
