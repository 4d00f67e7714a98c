package steady

import "fmt"

// Rewarm watches the load after a pause, at the rate that is measured: a forced collection and
// a quiet time shrink pools, and another rate may compile other code. What was warm is warm again
// after some seconds with the compilers quiet and nothing piling up.
type Rewarm struct{ *Warm }

// rewarmSeconds are the least.
const rewarmSeconds = 5

// NewRewarm is for a server that was warm before.
func NewRewarm() *Rewarm { return &Rewarm{NewWarm(DefaultRules, 0)} }

// Judge says whether the server is warm again.
func (w *Rewarm) Judge() Report {
	r := Report{Seconds: len(w.seconds), Since: max(0, len(w.seconds)-rewarmSeconds)}
	note := func(format string, args ...any) { r.Unmet = append(r.Unmet, fmt.Sprintf(format, args...)) }
	if r.Seconds < rewarmSeconds {
		note("%d s of load of at least %d", r.Seconds, rewarmSeconds)
	}
	w.judgeQuiet(rewarmSeconds, stepJIT, note)
	w.judgeBacklog(rewarmSeconds, note)
	r.Warm = len(r.Unmet) == 0
	return r
}
