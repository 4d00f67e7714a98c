package load

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"loomboard.dev/agent/internal/answer"
	"loomboard.dev/agent/internal/load/rawhttp"
)

// A wrong answer's code is its status and one of these; a right one's is its status.
const (
	wrongStatus = 1000
	wrongBody   = 2000
)

// answeredRightly says so of a code.
func answeredRightly(code uint16) bool { return code >= 100 && code < wrongStatus }

// expectation says what became of hits that were answered.
type expectation struct {
	*answer.Check
	declared bool // by the workload
	follow   bool
}

// newExpectation of nil is any 2xx.
func newExpectation(success *answer.Right, follow bool) (expectation, error) {
	var right answer.Right
	if success != nil {
		right = *success
	}
	check, err := right.Check()
	if err != nil {
		return expectation{}, fmt.Errorf("load: success: %w", err)
	}
	return expectation{check, success != nil, follow}, nil
}

// reading is what our own client is asked for.
func (j expectation) reading() *rawhttp.Reading {
	out := &rawhttp.Reading{Follow: j.follow, Expected: j.Status}
	if j.LooksInside() {
		out.Inspect, out.MostInspected = j.inside, answer.MostBody+1
	}
	return out
}

// outcome of an answer. Nothing of it is allocated for one that is right; text is its status and reason, or empty, wrong what
// stands in its body that should not, and looked how long it took to see that.
func (j expectation) outcome(status int, text string, bytes int64, wrong string, looked time.Duration) hitOutcome {
	out := hitOutcome{code: status, bytesIn: bytes, looked: looked}
	switch {
	case !j.Status(status):
		out.code = wrongStatus + status
		if out.text = cmp.Or(text, fmt.Sprintf("%d %s", status, http.StatusText(status))); j.declared {
			out.text = j.WrongStatus(out.text)
		}
	case !j.Length(bytes):
		out.code, out.text = wrongBody+status, j.WrongLength(bytes)
	case wrong != "":
		out.code, out.text = wrongBody+status, wrong
	}
	return out
}

// inside is what is wrong with a body; of an answer whose status is wrong it does not matter.
func (j expectation) inside(status int, body []byte) string {
	if !j.Status(status) {
		return ""
	}
	return j.Inside(body)
}
