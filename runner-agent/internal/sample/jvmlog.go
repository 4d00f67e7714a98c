package sample

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// JVMLog is the safepoint and GC log of one JVM, read once it has ended.
type JVMLog struct {
	Safepoints []Safepoint
	Pauses     []Pause
	Unread     int // lines that announce a safepoint and could not be read
	// ZeroNs is the host's monotonic clock at uptime 0; 0: the lines do not say.
	ZeroNs int64
}

// Safepoint is one stop of all threads. Total is from the request to the release.
type Safepoint struct {
	Uptime    time.Duration // of the JVM, at its end
	Operation string
	Reaching  time.Duration // time to safepoint
	Total     time.Duration
}

// Pause is one stop by the collector.
type Pause struct {
	Uptime time.Duration // of the JVM, at its end
	GC     int           // number of the collection it belongs to
	What   string        // "Young (Normal) (G1 Evacuation Pause)"
	Took   time.Duration
	HeapMB int // used after it, -1 when the line does not say
	FromMB int // used before it
}

var (
	// [13443915640504ns][241000000ns][info][gc,start     ] text, monotonic time and
	// uptime; logs of older agents have no monotonic time
	logLine = regexp.MustCompile(`^(?:\[(\d+)ns\])?\[(\d+)ns\]\[\w+ *\]\[([\w,]+) *\] (.*)$`)
	// Safepoint "G1CollectFull", Time since last: 1 ns, Reaching safepoint: 2 ns, ...
	// 21 adds Cleanup, 25 and later Threads; the named numbers are the same.
	safepointName   = regexp.MustCompile(`^Safepoint "([^"]+)", `)
	safepointNumber = regexp.MustCompile(`(\w[\w ]*): (\d+) ns`)
	// GC(7) Pause Young (Normal) (G1 Evacuation Pause) 4M->2M(10M) 2.159ms; ZGC puts
	// the generation before Pause, in gc,phases.
	pauseLine = regexp.MustCompile(`^GC\((\d+)\) (?:[yYoO]: )?Pause (.+?)(?: (\d+)M->(\d+)M\(\d+M\))? (\d+\.\d+)ms$`)
)

// ReadJVMLog reads the log of -Xlog:safepoint*=info,gc*=info with the decorations
// timenanos,uptimenanos,level,tags. A last line cut short by a killed JVM is left out.
func ReadJVMLog(path string) (JVMLog, error) {
	f, err := OpenPlain(path)
	if err != nil {
		return JVMLog{}, err
	}
	defer f.Close()
	log, err := parseJVMLog(f)
	if err != nil {
		return JVMLog{}, fmt.Errorf("%s: %w", path, err)
	}
	return log, nil
}

// What is read of a log at most. The server can write to the file, and the agent has to hold what it reads: an hour of a
// hundred collections a second is a tenth of it.
const (
	mostLogBytes  = 4 << 30
	mostLogEvents = 4 << 20  // safepoints, and as many pauses
	longestLine   = 64 << 10 // a longer one is no JVM's, and is left out
)

// errLogTooLong says that a log is longer than a JVM's can be.
var errLogTooLong = errors.New("is longer than a JVM's log can be")

func parseJVMLog(r io.Reader) (JVMLog, error) { return parseLogWithin(r, mostLogBytes, mostLogEvents) }

func parseLogWithin(r io.Reader, bytes int64, events int) (JVMLog, error) {
	var log JVMLog
	var read int64
	lines := bufio.NewReaderSize(r, longestLine)
	for long := false; ; {
		text, err := lines.ReadSlice('\n')
		read += int64(len(text))
		switch {
		case read > bytes || len(log.Safepoints) > events || len(log.Pauses) > events:
			return JVMLog{}, errLogTooLong
		case errors.Is(err, bufio.ErrBufferFull):
			long = true
			continue
		case errors.Is(err, io.EOF):
			return log, nil
		case err != nil:
			return JVMLog{}, err
		}
		if !long {
			if err := log.add(strings.TrimRight(string(text), "\r\n")); err != nil {
				return JVMLog{}, err
			}
		}
		long = false
	}
}

func (log *JVMLog) add(text string) error {
	m := logLine.FindStringSubmatch(text)
	if m == nil {
		return nil // a continuation, or a warning of the JVM itself
	}
	ns, err := strconv.ParseInt(m[2], 10, 64)
	if err != nil {
		return fmt.Errorf("line %q: %w", text, err)
	}
	if log.ZeroNs == 0 && m[1] != "" {
		if at, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			log.ZeroNs = at - ns
		}
	}
	switch m[3] {
	case "safepoint":
		log.addSafepoint(time.Duration(ns), m[4])
	case "gc", "gc,phases":
		return log.addPause(time.Duration(ns), m[4])
	}
	return nil
}

func (log *JVMLog) addSafepoint(at time.Duration, text string) {
	name := safepointName.FindStringSubmatch(text)
	if name == nil {
		return
	}
	named := map[string]time.Duration{}
	for _, m := range safepointNumber.FindAllStringSubmatch(text, -1) {
		if ns, err := strconv.ParseInt(m[2], 10, 64); err == nil {
			named[m[1]] = time.Duration(ns)
		}
	}
	reaching, okReaching := named["Reaching safepoint"]
	total, okTotal := named["Total"]
	if !okReaching || !okTotal {
		log.Unread++
		return
	}
	log.Safepoints = append(log.Safepoints, Safepoint{at, strings.Clone(name[1]), reaching, total})
}

func (log *JVMLog) addPause(at time.Duration, text string) error {
	m := pauseLine.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	gc, errGC := strconv.Atoi(m[1])
	ms, errMs := strconv.ParseFloat(m[5], 64)
	from, errFrom := megabytes(m[3])
	heap, errHeap := megabytes(m[4])
	if err := errors.Join(errGC, errMs, errFrom, errHeap); err != nil {
		return fmt.Errorf("line %q: %w", text, err)
	}
	took := time.Duration(math.Round(ms * float64(time.Millisecond)))
	log.Pauses = append(log.Pauses, Pause{at, gc, strings.Clone(m[2]), took, heap, from})
	return nil
}

func megabytes(text string) (int, error) {
	if text == "" {
		return -1, nil
	}
	return strconv.Atoi(text)
}
