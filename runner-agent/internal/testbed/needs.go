// Package testbed is what tests of several packages stand on: what becomes of a test
// that this machine cannot run, captured trees, small disks, servers, bounded waiting.
package testbed

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Everything is the environment's word that this machine has all that tests need; CI
// gives it. What is missing then fails its test: a test that was skipped unseen shows
// nothing. Without that word, as on a developer's machine, it is skipped.
const Everything = "LOOMBOARD_TEST_EVERYTHING"

// Need ends the test if err says that a thing is missing that anybody can install.
func Need(t testing.TB, err error, mend string) {
	t.Helper()
	need(t, err, mend, true)
}

// NeedJDK ends the test where no JDK was found that can be measured.
func NeedJDK(t testing.TB, found int) {
	t.Helper()
	if found == 0 {
		Need(t, errors.New("no JDK of 21 or later on this machine"), "install one (Temurin 25, say) or name its folder in LOOMBOARD_JDKS")
	}
}

// NeedPrivilege ends the test if err says that the kernel grants less than it needs. That
// fails it only where this process has the capability all such things hang on: not
// every CI may be given it, and root in a container usually has it not.
func NeedPrivilege(t testing.TB, err error, mend string) {
	t.Helper()
	need(t, err, mend, administers())
}

func need(t testing.TB, err error, mend string, here bool) {
	t.Helper()
	switch {
	case err == nil:
	case here && os.Getenv(Everything) != "":
		t.Fatalf("%v: %s (or unset %s)", err, mend, Everything)
	default:
		t.Skipf("%v: %s", err, mend)
	}
}

// administers says whether this process has CAP_SYS_ADMIN.
func administers() bool {
	const sysAdmin = 21
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false // no Linux
	}
	_, after, _ := strings.Cut(string(text), "CapEff:\t")
	mask, _, _ := strings.Cut(after, "\n")
	set, err := strconv.ParseUint(mask, 16, 64)
	return err == nil && set>>sysAdmin&1 == 1
}
