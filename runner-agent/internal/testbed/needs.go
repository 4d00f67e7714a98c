// Package testbed is what tests of several packages stand on: what becomes of a test
// that this machine cannot run, captured trees, small disks, servers, bounded waiting.
package testbed

import (
	"errors"
	"os"
	"testing"
)

// Everything is the environment's word that this machine has all that tests need, as CI
// gives it; the value Privileged says that it may do all they need, too. What is missing
// then fails its test: a test that was skipped unseen shows nothing. Without that word,
// as on a developer's machine, it is skipped.
const (
	Everything = "LOOMBOARD_TEST_EVERYTHING"
	Privileged = "privileged"
)

// Need ends the test if err says that a thing is missing that anybody can install.
func Need(t testing.TB, err error, mend string) {
	t.Helper()
	need(t, err, mend, os.Getenv(Everything) != "")
}

// NeedJDK ends the test where no JDK was found that can be measured.
func NeedJDK(t testing.TB, found int) {
	t.Helper()
	if found == 0 {
		Need(t, errors.New("no JDK of 21 or later on this machine"),
			"install one (Temurin 25, say) or name its folder in LOOMBOARD_JDKS")
	}
}

// NeedPrivilege ends the test if err says that the kernel grants less than it needs:
// small disks, control groups, namespaces. Not every CI may be given them, not even as root.
func NeedPrivilege(t testing.TB, err error, mend string) {
	t.Helper()
	need(t, err, mend, os.Getenv(Everything) == Privileged)
}

func need(t testing.TB, err error, mend string, must bool) {
	t.Helper()
	switch {
	case err == nil:
	case must:
		t.Fatalf("%v: %s (or unset %s)", err, mend, Everything)
	default:
		t.Skipf("%v: %s", err, mend)
	}
}
