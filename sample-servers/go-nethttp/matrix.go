package main

import (
	"strconv"
	"time"
)

// matmul is the CPU work of matmul and mixed, as WORKLOADS.md specifies it: a product of two n × n matrices of 64-bit integers
// whose overflow wraps, of which one random cell is the answer.
func matmul(n int, seed *int64) string {
	random := newJavaRandom(time.Now().UnixNano())
	clock := func() int64 { return time.Now().UnixNano() }
	if seed != nil {
		random = newJavaRandom(*seed)
		next := *seed - 1
		clock = func() int64 { next++; return next }
	}
	left, right, product := matrix(n), matrix(n), matrix(n)
	for r := range n {
		for c := range n {
			left[r][c] = int64(r + c)
			right[r][c] = int64(r - c)
		}
	}
	for r := range n {
		left[r][random.below(n)] = clock()
		multiplyRow(left[r], right, product[r])
	}
	row := random.below(n)
	return strconv.FormatInt(product[row][random.below(n)], 10)
}

func matrix(n int) [][]int64 {
	rows := make([][]int64, n)
	for r := range rows {
		rows[r] = make([]int64, n)
	}
	return rows
}

func multiplyRow(leftRow []int64, right [][]int64, productRow []int64) {
	for c := range productRow {
		var sum int64
		for k, l := range leftRow {
			sum += l * right[k][c]
		}
		productRow[c] = sum
	}
}

// javaRandom is java.util.Random, whose algorithm its documentation specifies.
type javaRandom struct{ state uint64 }

const (
	randomFactor = 0x5DEECE66D
	randomMask   = 1<<48 - 1
)

func newJavaRandom(seed int64) *javaRandom {
	return &javaRandom{(uint64(seed) ^ randomFactor) & randomMask}
}

// next gives the top bits of the next state.
func (r *javaRandom) next(bits int) int32 {
	r.state = (r.state*randomFactor + 0xB) & randomMask
	return int32(r.state >> (48 - bits))
}

// below gives a number from 0 to n-1, all equally likely.
func (r *javaRandom) below(n int) int {
	bound := int32(n)
	u := r.next(31)
	if bound&(bound-1) == 0 {
		return int(int64(bound) * int64(u) >> 31)
	}
	for {
		remainder := u % bound
		if u-remainder+(bound-1) >= 0 { // wraps below zero where the last, incomplete share begins
			return int(remainder)
		}
		u = r.next(31)
	}
}
