package simulated

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Call is a kind of call that an agent makes.
type Call string

// The calls.
const (
	Claim     Call = "claim"
	Heartbeat Call = "heartbeat"
	Upload    Call = "upload"
	Complete  Call = "complete"
	Other     Call = "other"
)

var batchPath = regexp.MustCompile(`/api/agent/v1/trials/(trl_[a-z2-7]{20})/batches/(\d+)$`)

// CallOf tells what a request of an agent asks for.
func CallOf(r *http.Request) Call {
	path := r.URL.Path
	switch {
	case batchPath.MatchString(path):
		return Upload
	case strings.HasSuffix(path, "/heartbeat"):
		return Heartbeat
	case strings.HasSuffix(path, "/claim"):
		return Claim
	case strings.HasSuffix(path, "/complete"):
		return Complete
	}
	return Other
}

// wire is the agent's way to the service: it notes what goes over it, and sets the clock that the service sees.
type wire struct {
	base   http.RoundTripper
	ledger *Ledger
	skew   time.Duration
	at     func(point string)
	onCall func(call Call, took time.Duration, status int) // status 0: no answer came; nil: nobody asks
}

const sentAt = "Loomboard-Sent-At"

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	call := CallOf(r)
	if stated := r.Header.Get(sentAt); stated != "" && w.skew != 0 {
		r = r.Clone(r.Context())
		r.Header.Set(sentAt, time.Now().Add(w.skew).UTC().Format(time.RFC3339Nano))
	}
	id, isBatch := batchOf(r)
	if isBatch {
		if err := w.noteSent(r, id); err != nil {
			return nil, err
		}
	}
	w.at(string(call) + " sends")
	began := time.Now()
	answer, err := w.base.RoundTrip(r)
	status := 0
	if err == nil {
		status = answer.StatusCode
	}
	if w.onCall != nil {
		w.onCall(call, time.Since(began), status)
	}
	if err != nil {
		return nil, err
	}
	w.at(string(call) + " answered")
	if isBatch {
		err = w.noteAnswer(id, answer)
	}
	return answer, err
}

func batchOf(r *http.Request) (BatchID, bool) {
	found := batchPath.FindStringSubmatch(r.URL.Path)
	if found == nil || r.Method != http.MethodPut {
		return BatchID{}, false
	}
	seq, err := strconv.Atoi(found[2])
	return BatchID{found[1], seq}, err == nil
}

// noteSent notes the content of what no trial has sealed: the spool's own last batches.
func (w wire) noteSent(r *http.Request, id BatchID) error {
	if w.ledger.knows(id) {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		return err
	}
	digest := sha256.New()
	unpacked, err := gzip.NewReader(body)
	if err == nil {
		_, err = io.Copy(digest, unpacked)
	}
	if err != nil {
		return fmt.Errorf("batch %v cannot be unpacked: %w", id, err)
	}
	return w.ledger.note(entry{BatchID: id, What: sent, Digest: hex.EncodeToString(digest.Sum(nil))})
}

// noteAnswer notes the service's word: what something else answers in its place is none.
func (w wire) noteAnswer(id BatchID, answer *http.Response) error {
	switch status := answer.StatusCode; {
	case status == http.StatusNoContent:
		return w.ledger.note(entry{BatchID: id, What: acknowledged})
	case status >= 400 && status < 500 && status != http.StatusUnauthorized && status != http.StatusRequestTimeout &&
		status != http.StatusTooManyRequests && answer.Header.Get("Content-Type") == "application/problem+json":
		return w.ledger.note(entry{BatchID: id, What: refused, Status: status})
	}
	return nil
}

func (l *Ledger) knows(id BatchID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.batches[id]
	return b != nil && b.Digest != ""
}
