package plan

// Seeds are below this, which a JSON number holds exactly.
const Seeds = 1 << 53

// order draws random orders that a seed decides: SplitMix64 (Steele, Lea & Flood,
// OOPSLA 2014) and the shuffle of Fisher and Yates. The service has the same in Java
// (matrix/SeededOrder).
type order uint64

// block is the groups in a random order, the cells of each in a random order of their
// own, next to each other.
func (o *order) block(groups [][]int) []int {
	var out []int
	for _, group := range shuffled(o, groups) {
		out = append(out, shuffled(o, group)...)
	}
	return out
}

func shuffled[T any](o *order, all []T) []T {
	out := append([]T(nil), all...)
	for i := len(out) - 1; i > 0; i-- {
		j := o.next() % uint64(i+1) // of 2^64 values these are as good as equally likely
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func (o *order) next() uint64 {
	*o += 0x9e3779b97f4a7c15
	z := uint64(*o)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
