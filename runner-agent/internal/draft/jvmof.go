package draft

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// jvmLine is the command line of a JVM among processes, as one that starts it by itself; empty: there is none.
func jvmLine(root string, pids []int, port int) string {
	for _, pid := range pids {
		folder := filepath.Join(root, "proc", strconv.Itoa(pid))
		program, err := os.Readlink(filepath.Join(folder, "exe"))
		if err != nil || !StartsJVM([]string{program}) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, "cmdline"))
		if err != nil {
			continue
		}
		words := strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
		words[0] = "java"
		for i, word := range words {
			words[i] = shellWord(strings.ReplaceAll(word, strconv.Itoa(port), "{port}"))
		}
		return strings.Join(words, " ")
	}
	return ""
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+{}-]+$`)

// shellWord is a word as a shell takes it.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
