package main

import (
	"strings"
	"testing"
)

func row(scenario, variant string, reasons ...string) entry {
	e := entry{Server: "spring-mvc", Variant: variant, Reasons: reasons, scenario: scenario}
	e.JDK.Version = "25.0.3"
	return e
}

func TestFootnotes_say_each_reason_once(t *testing.T) {
	const few = "1 trial of the 10 that a rank needs"
	for _, test := range []struct {
		name string
		rows []entry
		want []string
	}{
		{"none", []entry{row("io", "virtual")}, nil},
		{"all", []entry{row("io", "virtual", few), row("compute", "virtual", few)}, []string{"Not ranked: " + few + "."}},
		{
			"some, each with its own figure",
			[]entry{row("io", "a", few, "trial 1 is suspect (lag 4 ms)"), row("io", "b", few, "trial 1 is suspect (lag 7 ms)"), row("io", "c", few)},
			[]string{"Not ranked: " + few + ".", "Not ranked: trial 1 is suspect: io spring-mvc a on 25.0.3, io spring-mvc b on 25.0.3."},
		},
		{
			"many",
			[]entry{row("io", "a", "x"), row("io", "b", "x"), row("io", "c", "x"), row("io", "d", "x"), row("io", "e")},
			[]string{"Not ranked: x: io spring-mvc a on 25.0.3, io spring-mvc b on 25.0.3, io spring-mvc c on 25.0.3 and 1 more."},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.FieldsFunc(footnotes(test.rows), func(r rune) bool { return r == '\n' })
			if strings.Join(got, "|") != strings.Join(test.want, "|") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestFigure_ofOneLaunchHasTwoDigits(t *testing.T) {
	for _, c := range []struct {
		trials   int
		mean     float64
		decimals int
		want     string
	}{
		{1, 2057.3, 0, "2100"}, {1, 100.47, 2, "100"}, {1, 1.62, 2, "1.6"}, {1, 0.137, 2, "0.14"}, {1, 0, 1, "0.0"},
		{1, 296.9, 1, "300"}, {5, 100.47, 2, "100.47"},
	} {
		if got := (entry{Trials: c.trials}).figure(c.mean, c.decimals); got != c.want {
			t.Errorf("%v of %d trials is shown as %s, must be %s", c.mean, c.trials, got, c.want)
		}
	}
}
