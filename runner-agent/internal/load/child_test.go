package load

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"loomboard.dev/agent/internal/testbed"
)

func TestRun_attacksFromAProcessOfItsOwn(t *testing.T) {
	var hits atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer server.Close()
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1") // must not reach the generator
	ctx, cancel := context.WithTimeout(t.Context(), watchdog)
	defer cancel()
	seen := map[int]bool{}
	step, err := Run(ctx, Spec{Rate: 100, Duration: 2 * time.Second, Target: Target{URL: server.URL}}, func(w Window) { seen[w.Index] = true })
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, step)
	if step.Counts.Offered != 200 || step.Counts.Completed != hits.Load() || len(seen) != 2 || len(step.Windows) != 2 {
		t.Errorf("%+v, server saw %d, windows %v", step.Counts, hits.Load(), seen)
	}
	for _, w := range step.Windows {
		if !w.StepAt.Equal(step.StartedAt) {
			t.Errorf("window %d says the step began at %v, the step says %v", w.Index, w.StepAt, step.StartedAt)
		}
	}
	if step.Windows[0].Index != 0 || step.Windows[1].Index != 1 {
		t.Error("windows of the step are not in order")
	}
}

func TestRun_refusesBeforeItStartsAnything(t *testing.T) {
	_, err := Run(t.Context(), Spec{Rate: 1, Duration: time.Second, Target: Target{URL: "http://1.1.1.1/"}}, nil)
	if err == nil || !strings.Contains(err.Error(), "neither loopback nor private") {
		t.Errorf("error %v", err)
	}
}

func TestMain_refusesAForeignTargetItself(t *testing.T) {
	var out strings.Builder
	code := Main(strings.NewReader(`{"target":{"url":"http://1.1.1.1/"},"rate":1,"duration":1000000000}`), &out)
	if code != 1 || !strings.Contains(out.String(), "neither loopback nor private") {
		t.Errorf("code %d, output %s", code, out.String())
	}
	out.Reset()
	if code := Main(strings.NewReader("nonsense"), &out); code != 1 || !strings.Contains(out.String(), "read the spec") {
		t.Errorf("code %d, output %s", code, out.String())
	}
}

// connections counts a server's open connections.
func connections(t *testing.T) (url string, open *atomic.Int64, arrived chan struct{}) {
	open, arrived = new(atomic.Int64), make(chan struct{}, 100_000)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived <- struct{}{} }))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	return server.URL, open, arrived
}

func TestRun_isCancelledByItsContext(t *testing.T) {
	url, open, arrived := connections(t)
	checkCancel(t, Run, Spec{Rate: 100, Duration: time.Hour, Target: Target{URL: url}}, arrived)
	waitForNone(t, open)
}

func TestRun_loadProcessDiesWithItsParent(t *testing.T) {
	url, open, arrived := connections(t)
	parent := exec.Command(os.Args[0], parentMode, url)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-arrived:
	case <-time.After(watchdog):
		t.Error("no load arrived")
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	waitForNone(t, open)
}

func waitForNone(t *testing.T, open *atomic.Int64) {
	t.Helper()
	testbed.Eventually(t, func() error {
		if n := open.Load(); n > 0 {
			return fmt.Errorf("%d connections of the load process are open", n)
		}
		return nil
	})
}
