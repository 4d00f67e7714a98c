package local

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// Change is a suspected, confirmed or cleared change, of /api/v1/regressions.
type Change struct {
	ID, URL, Status, Direction, Metric, GoodBuild, Build string
	Rerun, Verdict, RerunReason                          *string
	RerunFurther                                         *int
	Effect, Low, High, AdjustedP                         *float64
	DetectedAt                                           time.Time
	DecidedAt                                            *time.Time
	Control                                              *struct{ Sentence string }
	Bisection                                            *Bisection
}

// Bisection is the search for the build that brought a change.
type Bisection struct {
	State, Sentence string
	Reason          *string
	Credible        []string
	Steps           []BisectionStep
}

// BisectionStep is a build that it measured.
type BisectionStep struct {
	Build, State      string
	Blocks            *int
	Effect, Low, High *float64
	Reason            *string
}

// Answered says whether nothing more comes of the change by itself: its rerun decided, or ended without.
func (c Change) Answered() bool {
	return c.Status != "suspect" || c.RerunReason != nil && c.RerunFurther == nil
}

// Changes are all that the service holds of this machine, whatever became of them.
func (s *System) Changes(ctx context.Context) (found []Change, err error) {
	for _, state := range []string{"suspect", "open", "improvement", "cleared"} {
		var list struct{ Regressions []Change }
		query := url.Values{"machine": {s.Machine}, "state": {state}}
		if err := s.Client.Call(ctx, http.MethodGet, "/api/v1/regressions?"+query.Encode(), nil, &list); err != nil {
			return nil, err
		}
		found = append(found, list.Regressions...)
	}
	return found, nil
}

// Until asks for the change until it is so.
func (s *System) Until(ctx context.Context, c Change, so func(Change) bool) (Change, error) {
	poll := time.NewTicker(2 * time.Second)
	defer poll.Stop()
	for !so(c) {
		if err := s.Wait(ctx, poll.C); err != nil {
			return c, err
		}
		all, err := s.Changes(ctx)
		if err != nil {
			return c, err
		}
		at := slices.IndexFunc(all, func(other Change) bool { return other.ID == c.ID })
		if at < 0 {
			return c, fmt.Errorf("the service no longer has the change %s", c.ID)
		}
		c = all[at]
	}
	return c, nil
}
