package load

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestAttack_beginsNoEarlierThanAgreed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	at := time.Now().Add(150 * time.Millisecond)
	step := attack(t, Spec{Target: Target{URL: server.URL}, Rate: 100, Duration: 100 * time.Millisecond, StartAt: at})
	if step.StartedAt.Before(at.Round(0)) {
		t.Errorf("began at %v, agreed was %v", step.StartedAt, at)
	}
	for _, w := range step.Windows {
		if !w.StepAt.Equal(step.StartedAt) {
			t.Errorf("window %d says its step began at %v, the step %v", w.Index, w.StepAt, step.StartedAt)
		}
	}
}

func TestSpec_refusesAStartFarAway(t *testing.T) {
	spec := Spec{Target: Target{URL: "http://127.0.0.1:1"}, Rate: 1, Duration: time.Second, StartAt: time.Now().Add(time.Hour)}.WithDefaults()
	if spec.Validate(t.Context()) == nil {
		t.Error("a start in an hour was taken")
	}
}
