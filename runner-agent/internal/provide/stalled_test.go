package provide

import (
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// slow gives a byte a minute, ten in all.
type slow struct{ given int }

func (s *slow) Read(p []byte) (int, error) {
	if s.given == 10 {
		return 0, io.EOF
	}
	time.Sleep(time.Minute)
	s.given++
	return copy(p, "x"), nil
}

func TestStalled_isNoSlowDownloadWhoseBytesCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		timer := time.AfterFunc(2*time.Minute, func() { ended = true })
		defer timer.Stop()
		if text, err := io.ReadAll(&stalled{&slow{}, timer, 2 * time.Minute}); err != nil || len(text) != 10 || ended {
			t.Errorf("read %q, %v, taken for stalled: %v", text, err, ended)
		}
	})
}
