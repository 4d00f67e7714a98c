package load

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"
)

// The load process says which class it was given; asked to be ordinary, it is.
func TestSchedulingClassIsReported(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	for _, asked := range []SchedulingClass{"", Realtime, Ordinary} {
		step, err := Run(context.Background(), Spec{Target: Target{URL: server.URL}, Rate: 100, Duration: 100 * time.Millisecond, Scheduling: asked}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := step.Health.Scheduling
		switch {
		case asked == Ordinary && got != Ordinary:
			t.Errorf("asked for %q, got %q", asked, got)
		case got != Ordinary && got != Realtime:
			t.Errorf("asked for %q, got the unknown class %q", asked, got)
		case got == Realtime && runtime.GOOS != "linux":
			t.Errorf("%s has no real-time class here, got %q", runtime.GOOS, got)
		}
	}
	_, err := Run(context.Background(), Spec{Target: Target{URL: server.URL}, Rate: 100, Duration: 100 * time.Millisecond, Scheduling: "idle"}, nil)
	if err == nil {
		t.Error("an unknown class was accepted")
	}
}
