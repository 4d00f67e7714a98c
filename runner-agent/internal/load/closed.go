package load

import (
	"context"
	"fmt"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// closedLoop is a closed load: as many goroutines as connections, each sends its next hit
// when its last is answered. There is no dispatcher, so the number in flight is
// exactly that of the connections, and no channel between a hit and its histogram.
type closedLoop struct {
	*attackRun
	began time.Time

	mu       sync.Mutex
	inFlight []int // hits under way by the second in which they began
	passed   int   // seconds before this one are over
	begun    int
	stopped  bool // the cap was reached
	last     time.Duration
}

// Pauses after hits without an answer: a dead server must not be hammered.
const (
	firstPause   = time.Millisecond
	longestPause = 100 * time.Millisecond
)

func (a *attackRun) closed(ctx context.Context) (Step, error) {
	l := &closedLoop{attackRun: a}
	if err := a.begin(ctx, headed{}, nil, func() time.Time { return l.began }); err != nil {
		return Step{}, err
	}
	l.inFlight = make([]int, l.headSeconds()+len(a.recorder.open))
	usage := startUsage(a.spec.cores(), func() time.Duration { return 0 }, a.spec.Head)
	l.began = time.Now()
	drain := a.spec.Drain
	if drain == a.spec.Timeout {
		drain += time.Second // every hit meets its own deadline first
	}
	alarm := time.AfterFunc(a.spec.Head+a.spec.Duration+drain, a.closeConnections)
	var all sync.WaitGroup
	for range a.spec.Connections {
		all.Go(l.connection)
	}
	all.Wait()
	alarm.Stop()
	began := l.began.Add(a.spec.Head)
	drained := time.Since(began)
	used := usage.stop()
	l.pass(len(l.inFlight))
	a.recorder.hits = a.recorder.sent
	step, err := a.conclude(ctx, began, max(0, l.last-a.spec.Head), drained)
	if err == nil && l.stopped {
		err = fmt.Errorf("load: the closed loop reached the cap of %d hits before its %v were over; shorten the step", MaxHits, a.spec.Duration)
	}
	if err != nil {
		return Step{}, err
	}
	step.Health = closedHealth(a.spec, a.recorder, used)
	return step, nil
}

func (l *closedLoop) connection() {
	var pause time.Duration
	started, number, more := l.next()
	for more {
		out := l.transport.hit(number, started > l.spec.Head)
		res := vegeta.Result{
			Seq:     number,
			Code:    uint16(out.code),
			Latency: time.Since(l.began) - started - out.looked,
			Error:   out.text,
		}
		if out.code >= 100 {
			pause = 0
			started, number, more = l.turn(&res, started)
			continue
		}
		l.record(&res, started)
		pause = min(max(firstPause, 2*pause), longestPause)
		l.sleep(pause)
		started, number, more = l.next()
	}
}

// next begins a hit, if there is still to be one.
func (l *closedLoop) next() (started time.Duration, number uint64, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.start()
}

func (l *closedLoop) record(res *vegeta.Result, started time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finish(res, started)
}

// turn is record and next.
func (l *closedLoop) turn(res *vegeta.Result, started time.Duration) (time.Duration, uint64, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finish(res, started)
	return l.start()
}

func (l *closedLoop) finish(res *vegeta.Result, started time.Duration) {
	second := windowOf(max(1, started))
	r, own := l.part(second)
	r.add(res, started-time.Duration(second-own)*time.Second)
	if l.inFlight[second]--; l.inFlight[second] == 0 && second < l.passed {
		r.pass(r.open[own])
	}
}

func (l *closedLoop) headSeconds() int { return int(l.spec.Head / time.Second) }

// part is whose a second of the attack is, the head's or the step's, and which of its own.
func (l *closedLoop) part(second int) (r *recorder, own int) {
	if head := l.headSeconds(); second >= head {
		return l.recorder, second - head
	}
	return l.head, second
}

func (l *closedLoop) start() (started time.Duration, number uint64, more bool) {
	if started = time.Since(l.began); started >= l.spec.Head+l.spec.Duration || l.run.Err() != nil {
		return 0, 0, false
	}
	if l.begun == MaxHits {
		l.stopped = true
		return 0, 0, false
	}
	l.begun++
	second := windowOf(max(1, started))
	l.pass(second)
	l.inFlight[second]++
	l.last = max(l.last, started)
	return started, uint64(l.begun - 1), true
}

// pass hands on the seconds before this one of which every hit is known.
func (l *closedLoop) pass(second int) {
	for ; l.passed < second; l.passed++ {
		r, own := l.part(l.passed)
		switch w := r.open[own]; {
		case l.inFlight[l.passed] > 0: // the last of them passes it on
		case w == nil:
			r.passEmpty(own)
		default:
			r.pass(w)
		}
	}
}

func (l *closedLoop) sleep(pause time.Duration) {
	alarm := time.NewTimer(pause)
	defer alarm.Stop()
	select {
	case <-alarm.C:
	case <-l.run.Done():
	}
}
