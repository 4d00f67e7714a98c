package trial

import (
	"errors"
	"math"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
	"loomboard.dev/agent/internal/steady"
)

// mark is what is read at the start and at the end of a measured step.
type mark struct {
	contended   contentionCount
	collections float64
	threads     sample.Threads
	threadsErr  error

	throttled      time.Duration // for which a quota held the agent back so far
	throttledKnown bool
	proxy          float64 // s of CPU time so far; NaN: not known
}

var errNotMarked = errors.New("the step ended before its mark")

func newMark() mark {
	return mark{collections: sample.Missing, threadsErr: errNotMarked, proxy: math.NaN()}
}

// judgeWarmth judges a measured step after the fact.
func judgeWarmth(s load.Step, ordinal int, hitsBefore int64, from, to mark, jvm bool) api.Warmth {
	out := api.Warmth{
		Step:        ordinal,
		Criterion:   steady.StepCriterion,
		HitsBefore:  hitsBefore,
		Collections: whole(to.collections - from.collections),
	}
	jit := math.NaN()
	if from.threadsErr == nil && to.threadsErr == nil {
		used := api.ThreadSeconds(to.threads.Since(from.threads))
		out.ThreadSeconds, jit = &used, used.JIT
	}
	step := steady.Step{
		HitsBefore: hitsBefore,
		WithoutJVM: !jvm,
		Duration:   s.Spec.Duration.Seconds(),
		JITSeconds: jit,
		Seconds:    steadySeconds(s.Windows),
	}
	out.Unmet, out.Unsteady = step.Unmet(), step.Unsteady()
	return out
}
