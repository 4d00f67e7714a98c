package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/diagnose"
	"loomboard.dev/agent/internal/monotonic"
	"loomboard.dev/agent/internal/sample"
)

// artefactSink is a Sink that also takes what is no batch. It is given before the
// last one.
type artefactSink interface {
	PutArtefact(name api.ArtefactName, content []byte) error
}

// heapWithin bounds a class histogram: it collects garbage and walks the heap.
const heapWithin = 30 * time.Second

// diagnosis is what a diagnostic trial gathers on its way.
type diagnosis struct {
	before, after diagnose.Heap // nil: not read
	slices        *diagnose.Slices
}

func (t *trial) diagnostic() bool { return t.job.Kind == api.Diagnostic }

// prepareRecorder writes the settings that the server's command line names.
func (t *trial) prepareRecorder() error {
	if !t.diagnostic() {
		return nil
	}
	if err := os.MkdirAll(t.launch.Dir, 0o755); err != nil {
		return fmt.Errorf("folder of the trial: %w", err)
	}
	return diagnose.WriteSettings(t.launch.Dir)
}

// beforeMeasuring reads the heap while the server is idle and starts to watch it.
func (t *trial) beforeMeasuring(ctx context.Context) {
	if !t.diagnostic() {
		return
	}
	t.before = t.readHeap(ctx, "classes.before")
	if clock, ok := monotonic.Now(); ok {
		t.slices = diagnose.WatchSlices(context.WithoutCancel(ctx), "/", t.proc.Pid(), clock)
	}
}

func (t *trial) afterMeasuring(ctx context.Context) {
	if t.diagnostic() {
		t.after = t.readHeap(ctx, "classes.after")
	}
}

func (t *trial) readHeap(ctx context.Context, what string) diagnose.Heap {
	ctx, cancel := context.WithTimeout(ctx, heapWithin)
	defer cancel()
	heap, err := diagnose.ReadHeap(ctx, t.attach)
	if err != nil {
		t.missing(what, err.Error())
	}
	return heap
}

// diagnose explains what was measured, once the server is gone. Whatever cannot be
// read is missing and says why: the measurement itself stands.
func (t *trial) diagnose(ctx context.Context) {
	var known map[api.Cause][]diagnose.Span
	if t.slices != nil {
		var why map[api.Cause]string
		known, why = t.slices.Stop()
		for cause, text := range why {
			t.missing("attribution."+string(cause), text)
		}
	}
	if len(t.steps) == 0 || ctx.Err() != nil {
		return
	}
	log := t.timedLog()
	var recording *diagnose.Recording
	if t.diagnostic() {
		recording = t.readRecording(ctx)
		t.report(recording, log)
		t.keepClasses()
		t.keepLog()
	}
	t.attribute(known, log, recording)
}

// timedLog is the JVM's log when its lines are placed on the host's clock; else nil.
func (t *trial) timedLog() *sample.JVMLog {
	var log sample.JVMLog
	err := errors.New(t.lacksJVM())
	if t.parts.spec.HasJVM() {
		log, err = sample.ReadJVMLog(t.proc.JVMLog())
	}
	if err == nil && log.ZeroNs == 0 {
		err = errors.New("the JVM's log does not say when it was written by the host's clock")
	}
	if err != nil {
		t.missing("attribution.gc", err.Error())
		t.missing("attribution.safepoint", err.Error())
		return nil
	}
	return &log
}

func (t *trial) readRecording(ctx context.Context) *diagnose.Recording {
	var stretches []diagnose.Span
	for _, s := range t.measured {
		stretches = append(stretches, diagnose.Span{From: s.from.UnixNano(), To: s.to.UnixNano()})
	}
	newest := t.parts.build
	for _, b := range t.Machine.JDKs.Builds {
		if b.Feature > newest.Feature {
			newest = b
		}
	}
	recording, err := diagnose.ReadRecording(ctx, newest.Java(), t.launch.Dir, t.launch.User.Credential(), stretches)
	if err != nil {
		t.missing("diagnosis", err.Error())
		t.missing("attribution.lock", "the recording could not be read")
		return nil
	}
	return recording
}

// report keeps what the recording says of the measured steps.
func (t *trial) report(r *diagnose.Recording, log *sample.JVMLog) {
	if r == nil {
		return
	}
	var looked time.Duration
	for _, s := range t.measured {
		looked += s.to.Sub(s.from)
	}
	clock, _ := monotonic.Now() // without it there is no log
	inside := func(uptime time.Duration) bool {
		at := clock.Time(log.ZeroNs + int64(uptime))
		return slices.ContainsFunc(t.measured, func(s span) bool { return !at.Before(s.from) && at.Before(s.to) })
	}
	profile := diagnose.NewProfile(r, t.parts.spec.Methods[t.job.Workload], looked)
	t.keepJSON(api.DiagnosisArtefact, diagnose.NewReport(r, log, inside, profile, t.parts.build.Feature))
	if len(r.Stacks) > 0 {
		t.keep(api.StacksArtefact, diagnose.Collapsed(r.Stacks))
	}
}

func (t *trial) keepClasses() {
	if t.before != nil || t.after != nil {
		t.keepJSON(api.ClassesArtefact, diagnose.Compare(t.before, t.after))
	}
}

func (t *trial) keepLog() {
	text, err := readPlain(t.proc.JVMLog(), api.ArtefactLimit)
	if err != nil {
		t.missing(string(api.JVMLogArtefact), err.Error())
		return
	}
	t.keep(api.JVMLogArtefact, []byte(portable(t.launch, string(bytes.ToValidUTF8(text, []byte("?"))))))
}

// readPlain reads a file that the server has written, and one byte more than the most that can be kept of it.
func readPlain(path string, most int64) ([]byte, error) {
	f, err := sample.OpenPlain(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

func (t *trial) keepJSON(name api.ArtefactName, document any) {
	text, err := json.Marshal(document)
	if err != nil {
		t.missing(string(name), err.Error())
		return
	}
	t.keep(name, text)
}

func (t *trial) keep(name api.ArtefactName, content []byte) {
	sink, ok := t.batch.sink.(artefactSink)
	if !ok {
		return
	}
	if len(content) > api.ArtefactLimit {
		t.missing(string(name), fmt.Sprintf("its %d bytes are more than the %d that are kept", len(content),
			api.ArtefactLimit))
		return
	}
	if err := sink.PutArtefact(name, content); err != nil {
		t.missing(string(name), err.Error())
	}
}

// attribute explains the late hits of every step.
func (t *trial) attribute(known map[api.Cause][]diagnose.Span, log *sample.JVMLog, r *diagnose.Recording) {
	evidence := diagnose.Evidence{Spans: map[api.Cause][]diagnose.Span{}}
	for cause, spans := range known {
		evidence.Spans[cause] = spans
	}
	if log != nil {
		evidence.Spans[api.CauseGC], evidence.Spans[api.CauseSafepoint] = diagnose.Pauses(*log)
	}
	if t.job.Load.Profile == api.Closed {
		t.missing("attribution", "of a closed load no hit has an intended send time, so none can be said to be late")
		return
	}
	clock, ok := monotonic.Now()
	if !ok {
		t.missing("attribution", "this host has no clock that the agent shares with the JVM and the load process")
		return
	}
	if r != nil {
		evidence.Spans[api.CauseGC] = append(evidence.Spans[api.CauseGC], r.HostStalls(clock)...)
		evidence.Waits = r.HostWaits(clock)
		if t.parts.variant.ConcurrencyModel == "virtual-threads" {
			if why := diagnose.VirtualWaitsUnseen(t.parts.build.Feature); why != "" {
				t.missing("attribution.lock of virtual threads", why)
			}
		}
	}
	for i, step := range t.steps {
		if a := diagnose.Attribute(i, step, evidence); a != nil {
			t.end.Attribution = append(t.end.Attribution, *a)
		}
	}
	for _, cause := range []api.Cause{api.CauseLock, api.CauseThrottled, api.CauseStolen} {
		if !t.diagnostic() {
			t.missing("attribution."+string(cause), "watched in diagnostic trials only")
		}
	}
}
