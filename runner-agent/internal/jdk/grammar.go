package jdk

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const longestSelector = 160

// wanted is which builds a selector wants.
type wanted int

const (
	wantAll wanted = iota
	wantLatest
	wantLatestGA
	wantLatestEA
	wantLatestLTS
	wantPreviousEA
	wantFrom    // each feature from one on
	wantFeature // the newest release of a feature, else its newest early access
	wantEarly   // the newest early access of a feature
	wantVersion
	wantNamed
)

// Selector is one word by which a matrix names builds, read. The service reads the same
// (jdk/JdkSelector.java); both are held to selector-cases.json.
//
//	25            newest release of feature 25, else its newest early access
//	28-ea         newest early access of feature 28
//	25.0.3        newest build of that version
//	28-ea+18      that build
//	>=21          of each feature from 21 on what the feature alone names, newest first
//	latest        newest build of the highest feature; latest-ga, latest-ea: of that kind
//	latest-lts    newest release of the highest feature with long-term support
//	previous-ea   of the vendor of latest-ea, the early access before it
//	all           every build, newest first
//	<a name>      that build
//	temurin:25    any of these but a name, of that vendor's builds alone
//	baseline:25   any of these, measured beside the others whatever jdkLimit leaves out, and first
type Selector struct {
	text     string
	baseline bool
	vendor   string // empty: any
	wants    wanted
	feature  int    // of wantFrom, wantFeature, wantEarly
	numbers  []int  // of wantVersion, without zeros at the end
	pre      string // of wantVersion; empty: a release
	build    int    // of wantVersion; -1: any
	name     string // of wantNamed
}

const (
	wordForm   = `[a-z][a-z0-9]*(?:-[a-z0-9]+)*`
	numberForm = `0|[1-9]\d{0,2}`
)

var (
	ofVendor    = regexp.MustCompile(`^(` + wordForm + `):(.+)$`)
	featureForm = regexp.MustCompile(`^(?:` + numberForm + `)$`)
	earlyForm   = regexp.MustCompile(`^(` + numberForm + `)-ea$`)
	fromForm    = regexp.MustCompile(`^>=(` + numberForm + `)$`)
	buildForm   = regexp.MustCompile(`^((?:` + numberForm + `)(?:\.(?:0|[1-9]\d{0,8})){0,5})(?:-([a-z][a-z0-9]*))?(?:\+(0|[1-9]\d{0,8}))?$`)
	nameForm    = regexp.MustCompile(`^` + wordForm + `-\d[a-z0-9._+-]*-[a-z0-9][a-z0-9._-]*$`)

	fixedWords = map[string]wanted{
		"all": wantAll, "latest": wantLatest, "latest-ga": wantLatestGA, "latest-ea": wantLatestEA,
		"latest-lts": wantLatestLTS, "previous-ea": wantPreviousEA,
	}
)

// ParseSelector reads a word; the error says what is allowed and what may be meant.
func ParseSelector(text string) (Selector, error) {
	s, ok := parseSelector(text)
	if !ok {
		return s, errors.New(Problem(text))
	}
	return s, nil
}

// parseSelector reads a word; false: it is none of the grammar.
func parseSelector(text string) (Selector, bool) {
	s := Selector{text: text, build: -1}
	if len(text) > longestSelector {
		return s, false
	}
	rest := text
	rest, s.baseline = strings.CutPrefix(rest, "baseline:")
	if m := ofVendor.FindStringSubmatch(rest); m != nil {
		s.vendor, rest = m[1], m[2]
		if s.vendor == "baseline" || isName(rest) {
			return s, false
		}
	}
	return s, s.read(rest)
}

func (s *Selector) read(word string) bool {
	if wants, ok := fixedWords[word]; ok {
		s.wants = wants
		return true
	}
	switch {
	case featureForm.MatchString(word):
		s.wants, s.feature = wantFeature, number(word)
	case earlyForm.MatchString(word):
		s.wants, s.feature = wantEarly, number(earlyForm.FindStringSubmatch(word)[1])
	case fromForm.MatchString(word):
		s.wants, s.feature = wantFrom, number(fromForm.FindStringSubmatch(word)[1])
	case buildForm.MatchString(word):
		m := buildForm.FindStringSubmatch(word)
		for part := range strings.SplitSeq(m[1], ".") {
			s.numbers = append(s.numbers, number(part))
		}
		s.wants, s.numbers, s.pre = wantVersion, withoutZeros(s.numbers), m[2]
		if m[3] != "" {
			s.build = number(m[3])
		}
	case isName(word):
		s.wants, s.name = wantNamed, word
	default:
		return false
	}
	return true
}

// isName tells whether a word could name a build: by vendor, version and architecture.
func isName(word string) bool {
	return nameForm.MatchString(word) && !strings.HasPrefix(word, "latest-") && !strings.HasPrefix(word, "previous-") &&
		!strings.HasSuffix(word, "-ea")
}

// number reads digits that a form has bounded.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// withoutZeros makes 25 of 25.0.0.
func withoutZeros(numbers []int) []int {
	numbers = slices.Clone(numbers)
	for len(numbers) > 1 && numbers[len(numbers)-1] == 0 {
		numbers = numbers[:len(numbers)-1]
	}
	return numbers
}
