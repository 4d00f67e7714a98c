package steady

import (
	"fmt"
	"math"
)

// Idle watches a server settle after its load has ended: it is idle when for
// idleFor readings in a row it used little CPU, its heap stood still, and no more
// tasks of the host wanted to run than there are cores. NaN: not measured, skipped.
type Idle struct {
	cores    int
	readings []IdleReading
}

// IdleReading is a reading while nothing is asked of the server.
type IdleReading struct {
	At         float64 // s
	CPUSeconds float64 // used by the server since its start
	HeapBytes  float64 // used
	Runnable   float64 // tasks of the host that run or want to
}

const (
	idleFor       = 4    // readings
	idleCPU       = 0.05 // cores
	idleHeap      = 4 << 20
	idleHeapShare = 0.02
)

// NewIdle is for a host with this number of cores.
func NewIdle(cores int) *Idle { return &Idle{cores: cores} }

// Reading takes one in.
func (w *Idle) Reading(r IdleReading) { w.readings = append(w.readings, r) }

// Judge says whether the server is idle, and if not why.
func (w *Idle) Judge() (idle bool, unmet []string) {
	if len(w.readings) <= idleFor {
		return false, []string{fmt.Sprintf("%d readings of %d", len(w.readings), idleFor+1)}
	}
	last := w.readings[len(w.readings)-1]
	first := w.readings[len(w.readings)-1-idleFor]
	if cpu := (last.CPUSeconds - first.CPUSeconds) / (last.At - first.At); cpu > idleCPU {
		unmet = append(unmet, fmt.Sprintf("the server uses %.2f cores", cpu))
	}
	if moved := math.Abs(last.HeapBytes - first.HeapBytes); moved > max(idleHeap, idleHeapShare*first.HeapBytes) {
		unmet = append(unmet, fmt.Sprintf("its heap moved by %.1f MiB", moved/(1<<20)))
	}
	var runnable []float64
	for _, r := range w.readings[len(w.readings)-idleFor:] {
		if !math.IsNaN(r.Runnable) {
			runnable = append(runnable, r.Runnable)
		}
	}
	if queue := median(runnable); queue > float64(w.cores) {
		unmet = append(unmet, fmt.Sprintf("%.0f tasks of the host want to run on %d cores", queue, w.cores))
	}
	return len(unmet) == 0, unmet
}
