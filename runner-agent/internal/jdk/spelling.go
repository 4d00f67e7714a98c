package jdk

import (
	"regexp"
	"strings"
)

const (
	allowedSelectors = "25, 28-ea, 25.0.3, 28-ea+18, >=21, latest, latest-ga, latest-ea, latest-lts," +
		" previous-ea, all or a build's name; of one vendor with its name before, such as temurin:25; always measured" +
		" as baseline:25"
	knownVendors = "temurin|openjdk|oracle|debian|ubuntu|corretto|zulu|liberica|sapmachine|" +
		"microsoft|redhat|graalvm|dragonwell|jetbrains"
	shownSelector = 80
	mostEdits     = 2
	lettersAnEdit = 3
)

var orderedWords = []string{"all", "latest", "latest-ga", "latest-ea", "latest-lts", "previous-ea"}

// mendings are how a word is mended: what it looks like, and what is meant.
var mendings = []struct {
	form  *regexp.Regexp
	meant string
}{
	{regexp.MustCompile(`^(?:jdk|java)[-:]?(\d.*)$`), "$1"},
	{regexp.MustCompile(`^(\d{1,3})ea$`), "${1}-ea"},
	{regexp.MustCompile(`^ea-?(\d{1,3})$`), "${1}-ea"},
	{regexp.MustCompile(`^(?:>|=>|≥)=?(\d{1,3})$`), ">=$1"},
	{regexp.MustCompile(`^(\d{1,3})\+$`), ">=$1"},
	{regexp.MustCompile(`^0+(\d.*)$`), "$1"},
	{regexp.MustCompile(`^latest-(\d{1,3}(?:-ea)?)$`), "$1"},
	{regexp.MustCompile(`^(ga|ea|lts)$`), "latest-$1"},
	{regexp.MustCompile(`^prev(?:ious)?(?:-ea)?$`), "previous-ea"},
	{regexp.MustCompile(`^(` + knownVendors + `)[-/@]?(\d.*)$`), "$1:$2"},
	{regexp.MustCompile(`^(` + knownVendors + `)$`), "$1:latest"},
}

// Problem is what is wrong with a selector that no machine could match, with what is allowed and what may be meant;
// empty: nothing. The service says the same (jdk/SelectorSpelling.java); both are held to selector-cases.json.
func Problem(text string) string {
	if _, ok := parseSelector(text); ok {
		return ""
	}
	shown := text
	if runes := []rune(text); len(runes) > shownSelector {
		shown = string(runes[:shownSelector]) + "…"
	}
	said := "must be a JDK selector (" + allowedSelectors + "), is: " + shown
	if meant := near(text); meant != "" {
		said += "; did you mean " + meant + "?"
	}
	return said
}

// near is a selector that is close to the word; empty: none is.
func near(word string) string {
	if len(word) > shownSelector {
		return ""
	}
	lower := strings.ToLower(strings.TrimSpace(word))
	if isSelector(lower) {
		return lower
	}
	lower = strings.ReplaceAll(lower, "_", "-")
	if prefix, rest, ok := strings.Cut(lower, ":"); ok {
		if meant := mended(rest); meant != "" && isSelector(prefix+":"+meant) {
			return prefix + ":" + meant
		}
	}
	return mended(lower)
}

func mended(word string) string {
	if isSelector(word) {
		return word
	}
	for _, m := range mendings {
		if m.form.MatchString(word) {
			if meant := m.form.ReplaceAllString(word, m.meant); isSelector(meant) {
				return meant
			}
		}
	}
	meant, fewest := "", min(mostEdits, len(word)/lettersAnEdit)+1
	for _, known := range orderedWords {
		if n := edits(known, word); n < fewest {
			meant, fewest = known, n
		}
	}
	return meant
}

func isSelector(word string) bool {
	_, ok := parseSelector(word)
	return ok
}

// edits is how many letters to add, drop or exchange (Levenshtein).
func edits(one, other string) int {
	before := make([]int, len(other)+1)
	for i := range before {
		before[i] = i
	}
	for i := range len(one) {
		here := make([]int, len(other)+1)
		here[0] = i + 1
		for k := range len(other) {
			exchanged := before[k]
			if one[i] != other[k] {
				exchanged++
			}
			here[k+1] = min(exchanged, min(before[k+1], here[k])+1)
		}
		before = here
	}
	return before[len(other)]
}
