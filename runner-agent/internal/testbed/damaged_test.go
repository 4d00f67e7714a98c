package testbed

import (
	"bytes"
	"slices"
	"testing"
)

func TestDamaged_givesTheSeedAndAlwaysTheSameCopies(t *testing.T) {
	seed := []byte("a seed of some length")
	all := slices.Collect(Damaged(seed))
	if len(all) != 1+damagedCopies || !bytes.Equal(all[0], seed) {
		t.Fatalf("%d, the first %q", len(all), all[0])
	}
	if !slices.EqualFunc(all, slices.Collect(Damaged([]byte("a seed of some length"))), bytes.Equal) {
		t.Error("another time, others")
	}
	var same int
	for _, copied := range all[1:] {
		if bytes.Equal(copied, seed) {
			same++
		}
	}
	if same > damagedCopies/2 {
		t.Errorf("%d of %d copies are the seed", same, damagedCopies)
	}
	if string(seed) != "a seed of some length" {
		t.Errorf("the seed itself became %q", seed)
	}
	for range Damaged(nil) { // has nothing to be damaged
	}
}
