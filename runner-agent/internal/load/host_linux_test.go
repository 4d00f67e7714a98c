package load

import "testing"

func TestParseSteal_table(t *testing.T) {
	for _, c := range []struct {
		name, stat string
		steal, all uint64
		ok         bool
	}{
		// user 100 + nice 1 + system 50 + idle 800 + iowait 5 + irq 2 + softirq 3 + steal 9; guest 7 lies within user
		{"first line only", "cpu  100 1 50 800 5 2 3 9 7 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n", 9, 970, true},
		{"old kernel without steal", "cpu  100 1 50 800 5 2 3\n", 0, 0, false},
		{"not a number", "cpu  100 1 50 x 5 2 3 9 0 0\n", 0, 0, false},
		{"empty", "", 0, 0, false},
	} {
		if steal, all, ok := parseSteal(c.stat); steal != c.steal || all != c.all || ok != c.ok {
			t.Errorf("%s: %d of %d, %v", c.name, steal, all, ok)
		}
	}
}
