package trial

import (
	"context"
	"errors"
	"fmt"
	"math"

	"loomboard.dev/agent/internal/dbproxy"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/sample"
)

// delayCPU is what the delay proxy used over the measured steps, s.
const delayCPU = "delay.cpu_s"

// mostProxyCPU is the share of a core above which the delay proxy is the bottleneck,
// not the server: E2's own condition for such a tool.
const mostProxyCPU = 0.7

// findDatabase of the trial's workload.
func (t *trial) findDatabase() error {
	w := t.parts.workload
	switch {
	case !w.Database && t.job.Delay != nil:
		return fmt.Errorf("workload %s asks no database, so nothing can be delayed", w.Name)
	case !w.Database:
		return nil
	case t.Machine.Database == nil:
		return fmt.Errorf("workload %s asks a database, and this machine has none: name one as \"database\" in agent.json", w.Name)
	}
	t.launch.Database = t.Machine.Database
	return nil
}

// delayDatabase puts the proxy between, when the cell wants one. Its end ends the trial.
func (t *trial) delayDatabase(ctx context.Context) error {
	if t.job.Delay == nil {
		return nil
	}
	var err error
	if t.proxy, err = dbproxy.Start(ctx, dbproxy.Spec{
		Upstream: t.launch.Database.Address,
		Delay:    *t.job.Delay,
		CPUs:     t.Machine.Cores.Load,
	}); err != nil {
		return err
	}
	t.own.add(t.proxy.Pid())
	t.launch.Database = t.launch.Database.Through(t.proxy.Address)
	go func() {
		<-t.proxy.Done()
		t.fail(errors.New("the delay proxy before the database is gone"))
	}()
	return nil
}

// proxyUsed is CPU time so far, s; 0 without a proxy, NaN when it cannot be read.
func (t *trial) proxyUsed() float64 {
	if t.proxy == nil {
		return 0
	}
	return sample.CPUSeconds("/", t.proxy.Pid())
}

// judgeDelay makes a step suspect in which the proxy may have been the bottleneck.
func (t *trial) judgeDelay(s *load.Step, used float64) {
	t.proxyCPU += used
	share := used / s.Spec.Duration.Seconds()
	if math.IsNaN(share) || share <= mostProxyCPU {
		return
	}
	worsen(s, load.Suspect, load.CauseGenerator,
		"the delay proxy before the database used %.0f %% of a core: it may have been the bottleneck", share*100)
}
