package main

import (
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// compute does about a million dependent floating-point steps. Without a seed they depend on the clock, so that no compiler can
// do them once and for all.
func compute(seed *int64) string {
	rand := float64(time.Now().UnixNano())
	if seed != nil {
		rand = float64(*seed)
	}
	result := 0.0
	for i := 3; i <= 999; i++ {
		for j := 1; j <= 999; j++ {
			result += rand / 3
			rand -= float64(j)
		}
	}
	return asJava(result)
}

// asJava writes a finite number as Java's Double.toString does: the shortest decimal that reads back, with a point, and with an
// exponent outside of [10⁻³, 10⁷).
func asJava(x float64) string {
	if size := math.Abs(x); size == 0 || size >= 1e-3 && size < 1e7 {
		return withPoint(strconv.FormatFloat(x, 'f', -1, 64))
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exponent) // FormatFloat wrote it
	return withPoint(digits) + "E" + strconv.Itoa(n)
}

func withPoint(digits string) string {
	if strings.Contains(digits, ".") {
		return digits
	}
	return digits + ".0"
}

// startOneByOne creates, starts and awaits goroutines, each before the next; the answer is how many of them ran.
func startOneByOne(count int) string {
	var ran atomic.Int64
	for range count {
		done := make(chan struct{})
		go func() {
			ran.Add(1)
			close(done)
		}()
		<-done
	}
	return strconv.FormatInt(ran.Load(), 10)
}
