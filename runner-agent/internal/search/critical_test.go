package search

import (
	"math"
	"slices"
	"testing"
)

func TestCritical_isTheGeometricMeanOfTheHighestRates(t *testing.T) {
	points := []Point{{400, 30, true}, {100, 2, true}, {200, 9, true}, {300, 24, true}, {500, 90, true}, {600, 5, false}, {700, 5, true}}
	critical, highest := Critical(points)
	// 10 ms: 200; 25: 300; 50 and 75: 400; 100: 500, because 600 was not answered.
	if !slices.Equal(highest, []float64{200, 300, 400, 400, 500}) {
		t.Errorf("highest rates %v", highest)
	}
	if want := math.Pow(200*300*400*400*500, 0.2); math.Abs(critical-want) > 1e-9 {
		t.Errorf("critical %v, must be %v", critical, want)
	}
	if critical, _ := Critical([]Point{{100, 11, true}}); critical != 0 {
		t.Errorf("no rate is within 10 ms, but critical is %v", critical)
	}
	if critical, _ := Critical(nil); critical != 0 {
		t.Errorf("without a step critical is %v", critical)
	}
}
