package monotonic

import (
	"runtime"
	"testing"
	"time"
)

func TestClock_translatesThereAndBack(t *testing.T) {
	c, ok := Now()
	if ok != (runtime.GOOS == "linux") {
		t.Fatalf("on %s: %v", runtime.GOOS, ok)
	}
	if !ok {
		t.Skip("no shared clock here")
	}
	at := time.Now().Add(time.Second)
	if back := c.Time(c.Ns(at)); !back.Equal(at) {
		t.Errorf("%v became %v", at, back)
	}
}

func TestClock_twoReadingsAgree(t *testing.T) {
	first, ok := Now()
	second, _ := Now()
	if !ok {
		t.Skip("no shared clock here")
	}
	at := time.Now()
	// Each is exact to half of the time that reading both clocks took, of which a
	// busy machine makes more; a wrong unit or epoch would be off by far more.
	if off := first.Ns(at) - second.Ns(at); off > int64(time.Second) || off < -int64(time.Second) {
		t.Errorf("two readings are %d ns apart", off)
	}
}
