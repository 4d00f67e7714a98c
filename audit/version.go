package main

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

var versionWords = regexp.MustCompile(`[0-9]+|[A-Za-z]+`)

// older compares versions of Maven, Go and npm by their numbers, then by what follows: 1.0-rc1 is before 1.0, and
// 4.2.18.Final is 4.2.18.
func older(a, b string) bool { return compare(a, b) < 0 }

func compare(a, b string) int {
	x, y := words(a), words(b)
	for i := range max(len(x), len(y)) {
		if c := compareWord(at(x, i), at(y, i)); c != 0 {
			return c
		}
	}
	return 0
}

func words(version string) []string {
	version, _, _ = strings.Cut(version, "+") // a build's name, not an order
	return versionWords.FindAllString(strings.TrimPrefix(version, "v"), -1)
}

func at(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return "0"
}

// compareWord puts letters before numbers, apart from words that mean the release itself.
func compareWord(a, b string) int {
	x, y := value(a), value(b)
	if x >= 0 && y >= 0 || x != y {
		return cmp.Compare(x, y)
	}
	return strings.Compare(strings.ToLower(a), strings.ToLower(b))
}

// value is a number's, and -1 for a word that announces a release to come.
func value(word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	switch strings.ToLower(word) {
	case "final", "ga", "release", "jre":
		return 0
	}
	return -1
}
