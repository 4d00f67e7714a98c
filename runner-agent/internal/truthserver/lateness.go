package truthserver

import "time"

// lateness counts by microseconds up to 10 ms; what is later counts as 10 ms.
type lateness struct {
	micros [10_001]uint64
	count  uint64
	max    time.Duration
}

func (l *lateness) add(d time.Duration) {
	l.micros[min(int(d/time.Microsecond), len(l.micros)-1)]++
	l.count++
	l.max = max(l.max, d)
}

// quantile is rounded up to a microsecond; 0 when nothing was held.
func (l *lateness) quantile(p float64) time.Duration {
	var seen uint64
	for i, n := range l.micros {
		if seen += n; n > 0 && float64(seen) >= p*float64(l.count) {
			return time.Duration(i+1) * time.Microsecond
		}
	}
	return 0
}
