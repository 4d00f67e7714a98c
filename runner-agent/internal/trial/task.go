package trial

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

// preRuns runs the task of a batch without measuring it.
func (t *trial) preRuns(ctx context.Context, l api.Load) error {
	t.phase(api.PhaseWarmup)
	for i := range l.PreRuns {
		if _, err := t.runOnce(ctx); err != nil {
			return fmt.Errorf("pre-run %d: %w", i+1, err)
		}
	}
	return nil
}

// runTask measures the server's own task, one run after the other: no load, so that
// the runs are one step whose hits are the runs, at the rate they made themselves,
// each intended when it was sent.
func (t *trial) runTask(ctx context.Context, l api.Load) error {
	t.phase(api.PhaseMeasure)
	t.samples.sampler.Sample()
	t.counts.from = t.samples.contention()
	began := time.Now()
	times := load.NewHistogram()
	var bytes int64
	for i := range l.Runs {
		took, err := t.runOnce(ctx)
		if err != nil {
			return fmt.Errorf("run %d of the task: %w", i+1, err)
		}
		bytes += took.bytes
		if err := times.RecordValue(int64(took.time)); err != nil {
			return fmt.Errorf("run %d of the task: %w", i+1, err)
		}
	}
	elapsed := time.Since(began)
	t.samples.sampler.Sample()
	t.counts.to = t.samples.contention()
	t.counts.add()
	t.measured = append(t.measured, span{began.Round(0), began.Round(0).Add(elapsed)})
	hist, err := load.EncodeHistogram(times)
	if err != nil {
		return err
	}
	noLag, err := load.EncodeHistogram(load.NewHistogram())
	if err != nil {
		return err
	}
	n, rate := int64(l.Runs), float64(l.Runs)/elapsed.Seconds()
	start, never, all := int64(began.Sub(t.began)), int64(0), 1.0
	t.batch.step(api.Step{
		Rate:       rate,
		StartNs:    start,
		EndNs:      start + int64(elapsed),
		Offered:    n,
		Sent:       n,
		Completed:  n,
		Histograms: api.Histograms{Service: hist, Response: hist, Lag: noLag},
		Outcomes: api.Outcomes{
			StatusCodes:         map[string]int64{"200": n},
			Errors:              []api.ErrorClass{},
			BytesIn:             bytes,
			SecondHalfPerSecond: rate,
			CompletedInStep:     n,
			TimeoutNs:           int64(t.job.TimeoutSeconds * float64(time.Second)),
		},
		Health: api.Health{
			Validity:      string(load.Valid),
			LagP50Ns:      &never,
			LagP99Ns:      &never,
			LagMaxNs:      &never,
			AchievedRatio: &all,
			Scheduling:    string(load.Ordinary),
		},
		SentBy: &api.SentBy{Transport: string(load.Standard), HTTP: cmp.Or(t.proc.Address().HTTP, load.HTTP1)},
	})
	return nil
}

type taskRun struct {
	time  time.Duration // from the request to the last byte of the answer
	bytes int64
}

// runOnce asks for the task and waits until the server has done it. A task that
// fails is not worth a mean of the others.
func (t *trial) runOnce(ctx context.Context) (taskRun, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(t.job.TimeoutSeconds*float64(time.Second)))
	defer cancel()
	took, bytes, err := t.parts.workload.Once(ctx, t.proc.Address(), t.job.Params, t.taken)
	return taskRun{took, bytes}, err
}
