package dbproxy

import (
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"

	"loomboard.dev/agent/internal/timer"
)

// lineType is the line's name among the proxy's toxics.
const lineType = "line"

// line holds every packet back by the same time since it came, side by side with those
// behind it. It differs from the library's "latency" by its timer: a sleep of the
// runtime wakes up to a millisecond late.
type line struct {
	Ms int `json:"ms"`
}

// GetBufferSize is how many packets may be under way in one direction of a connection.
func (l *line) GetBufferSize() int { return 1024 }

// Pipe passes packets on until the connection ends.
func (l *line) Pipe(stub *toxics.ToxicStub) {
	alarm, err := timer.New()
	if err != nil { // no descriptor is left
		stub.Close()
		return
	}
	defer alarm.Close()
	for {
		select {
		case <-stub.Interrupt:
			return
		case packet := <-stub.Input:
			if packet == nil {
				stub.Close()
				return
			}
			l.hold(alarm, packet)
			stub.Output <- packet
		}
	}
}

func (l *line) hold(alarm *timer.Timer, packet *stream.StreamChunk) {
	due := packet.Timestamp.Add(time.Duration(l.Ms) * time.Millisecond)
	for wait := time.Until(due); wait > 0; wait = time.Until(due) {
		alarm.Sleep(wait)
	}
	packet.Timestamp = due
}
