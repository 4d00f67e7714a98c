package pages

import "testing"

func TestTimes_are_nearest_ranks(t *testing.T) {
	ms := make([]float64, 100)
	for i := range ms {
		ms[i] = float64(100 - i)
	}
	if got := TimesOf(ms); got != (Times{100, 50, 95, 99}) {
		t.Errorf("%+v", got)
	}
}

func TestPages_know_their_addresses(t *testing.T) {
	for address, name := range map[string]string{
		"/leaderboard/io-100ms?page=2": "leaderboard", "/compare?a=x&b=y": "compare", "/series/ser_a": "history", "/regressions": "regressions",
		"/leaderboard.json": "", "/files/bench-history.html": "",
	} {
		found := ""
		for _, p := range all {
			if p.Has(address) {
				found += p.Name
			}
		}
		if found != name {
			t.Errorf("%s is of %q, not %q", address, found, name)
		}
	}
}

func TestWalk_finds_members_at_any_depth(t *testing.T) {
	var found []string
	Walk(map[string]any{"boards": []any{map[string]any{"rows": []any{map[string]any{"scenarioKey": "io"}}}}}, func(key string, value any) {
		if key == "scenarioKey" {
			found = append(found, value.(string))
		}
	})
	if len(found) != 1 || found[0] != "io" {
		t.Errorf("%v", found)
	}
}
