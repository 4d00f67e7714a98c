package lease

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/provide"
)

const (
	progressEvery = 10 * time.Second // see Config.ProgressEvery
	lastProgress  = 5 * time.Second  // to say that it is done, also when the agent is stopped
)

// reported does some work with the provider and tells the service meanwhile, every ten seconds, what that does; at the end, that it is done.
// Work that is over before is not told of. A service that cannot be told is no reason to stop.
func (a *Agent) reported(ctx context.Context, work func()) {
	reporting, stop := context.WithCancel(ctx)
	told := false
	var reports sync.WaitGroup
	reports.Go(func() {
		every := time.NewTicker(cmp.Or(a.ProgressEvery, progressEvery))
		defer every.Stop()
		for {
			select {
			case <-reporting.Done():
				return
			case <-every.C:
			}
			at, busy := a.Provider.Now()
			if !busy {
				continue
			}
			err := a.Client.PutJDKProgress(reporting, wire(at))
			told = told || err == nil
			if api.Status(err) == http.StatusNotFound {
				return // a service of before
			}
		}
	})
	work()
	stop()
	reports.Wait()
	if told {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastProgress)
		defer cancel()
		if err := a.Client.PutJDKProgress(last, api.JDKProgress{Phase: api.JDKDone}); err != nil {
			a.Log.Warn("the service was not told that the JDK provider is done; the machine's page will say that it was not heard of", "error", err)
		}
	}
}

func wire(at provide.Progress) api.JDKProgress {
	return api.JDKProgress{Phase: at.Phase, Selector: at.Selector, Bytes: at.Bytes, Of: at.Of}
}
