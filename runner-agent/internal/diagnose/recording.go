package diagnose

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/monotonic"
)

var (
	//go:embed loomboard.jfc
	settings []byte
	//go:embed reader
	reader embed.FS
)

// Names of the files in a diagnostic trial's folder.
const (
	SettingsName  = "loomboard.jfc"
	RecordingName = "recording.jfr"
)

// SamplePeriod is how often the recorder looks at running threads.
const SamplePeriod = 10 * time.Millisecond

// Options have a JVM record from its start. Files are named relative to its
// working directory. The depth keeps the whole stack of a reactive server.
func Options() []string {
	return []string{"-XX:FlightRecorderOptions=stackdepth=512,repository=jfr",
		"-XX:StartFlightRecording=settings=" + SettingsName + ",filename=" + RecordingName +
			",dumponexit=true,maxsize=512m"}
}

// WriteSettings puts the recorder's settings into a trial's folder.
func WriteSettings(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, SettingsName), settings, 0o600); err != nil {
		return fmt.Errorf("settings of the recorder: %w", err)
	}
	return nil
}

// Recording is what the agent takes from a recording.
type Recording struct {
	Stacks    map[string]int64 // frames from the outermost, joined by ; → samples
	Locks     []api.LockWaits
	Pinned    []api.PinnedWaits
	GCs       []api.GCPauses
	Started   map[string]int64 // threads by kind
	Load      *float64         // mean share of the host's CPU time that the JVM used; nil: not recorded
	Waits     []Wait           // of at least 1 ms, by the wall clock
	Stalls    []Span           // of threads that waited for ZGC to free memory, by the wall clock
	Unlisted  int64            // waits and stalls that were too many to list
	Truncated int64            // stacks that were deeper than recorded
	LostBytes int64            // that the recorder could not keep
}

// HostWaits are the waits on the host's monotonic clock.
func (r *Recording) HostWaits(clock monotonic.Clock) []Wait {
	out := make([]Wait, len(r.Waits))
	for i, w := range r.Waits {
		out[i] = Wait{onHost(clock, w.Span), w.Thread}
	}
	return out
}

// HostStalls are the stalls on the host's monotonic clock.
func (r *Recording) HostStalls(clock monotonic.Clock) []Span {
	out := make([]Span, len(r.Stalls))
	for i, s := range r.Stalls {
		out[i] = onHost(clock, s)
	}
	return out
}

// The recorder's clock and the wall clock were seen to agree to 0.1 ms.
func onHost(clock monotonic.Clock, wall Span) Span {
	return Span{clock.Ns(time.Unix(0, wall.From)), clock.Ns(time.Unix(0, wall.To))}
}

// readWithin bounds reading; a recording of half a gigabyte takes about half of it.
const readWithin = 2 * time.Minute

// longestLine is more than a stack of the recorded depth needs.
const longestLine = 1 << 20

// ReadRecording reads the part of a recording that lies in the given stretches of
// the wall clock. java is the newest JDK's: newer readers read older recordings. It is read as the user who wrote it
// (nil: this process's): the recording is the server's word, and may be a link.
func ReadRecording(ctx context.Context, java, dir string, as *syscall.Credential,
	stretches []Span) (*Recording, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	program, remove, err := unpackReader(reader, dir)
	if err != nil {
		return nil, fmt.Errorf("reader of the recording: %w", err)
	}
	defer remove()
	args := append([]string{"-XX:+UseSerialGC", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-Xshare:auto"}, program...)
	args = append(args, filepath.Join(dir, RecordingName))
	for _, s := range stretches {
		args = append(args, fmt.Sprintf("%d-%d", s.From, s.To))
	}
	cmd := exec.CommandContext(ctx, java, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("reading the recording: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("reading the recording: %w", err)
	}
	out, parseErr := parseRecording(stdout)
	if parseErr != nil {
		cancel()
	}
	if err := cmd.Wait(); err != nil && parseErr == nil || errors.Is(parseErr, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("reading the recording: %w; it wrote: %.500s", errors.Join(err, parseErr),
			complaints.String())
	}
	return out, parseErr
}

// unpackReader writes the reader into a new folder below dir and returns how java runs
// it: compiled where the build had a compiler, else from its source.
func unpackReader(files fs.FS, dir string) (program []string, remove func(), err error) {
	to, err := os.MkdirTemp(dir, "reader-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { os.RemoveAll(to) }
	err = errors.Join(os.CopyFS(to, files), readable(to))
	if err != nil {
		remove()
		return nil, nil, err
	}
	at := filepath.Join(to, "reader")
	if _, err := fs.Stat(files, "reader/Recording.class"); err == nil {
		return []string{"-cp", at, "Recording"}, remove, nil
	}
	return []string{filepath.Join(at, "Recording.java")}, remove, nil
}

// readable lets every user read a folder, whatever this process's mask.
func readable(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}

// parseRecording takes the reader's lines. Without the last one something is missing.
func parseRecording(r io.Reader) (*Recording, error) {
	out := &Recording{Stacks: map[string]int64{}, Started: map[string]int64{}, Waits: []Wait{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if lines.Text() == "end" {
			return out, nil
		}
		if err := out.take(strings.Split(lines.Text(), "\t")); err != nil {
			return nil, fmt.Errorf("line %.200q of the recording's reader: %w", lines.Text(), err)
		}
	}
	return nil, errors.Join(io.ErrUnexpectedEOF, lines.Err())
}

// take reads one line: what it is, names, numbers.
func (r *Recording) take(f []string) error {
	shape, known := map[string]struct{ names, numbers int }{
		"lock": {3, 3}, "pinned": {1, 3}, "gc": {2, 3}, "started": {1, 3}, "waited": {0, 3}, "stall": {0, 3},
		"unlisted": {0, 1}, "truncated": {0, 1}, "lost": {0, 1},
	}[f[0]]
	switch {
	case f[0] == "stack" && len(f) == 3:
		n, err := strconv.ParseInt(f[1], 10, 64)
		r.Stacks[f[2]] += n
		return err
	case f[0] == "load" && len(f) == 2:
		return r.takeLoad(f[1])
	case !known || len(f) != 1+shape.names+shape.numbers:
		return errors.New("is not known")
	}
	n := make([]int64, shape.numbers)
	for i, text := range f[1+shape.names:] {
		var err error
		if n[i], err = strconv.ParseInt(text, 10, 64); err != nil {
			return err
		}
	}
	r.takeNumbers(f, n)
	return nil
}

func (r *Recording) takeLoad(text string) error {
	if text == "" {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	r.Load = &v
	return err
}

func (r *Recording) takeNumbers(f []string, n []int64) {
	waits := func() api.Durations {
		return api.Durations{
			Count:     n[0],
			TotalNs:   n[1],
			LongestNs: n[2],
		}
	}
	switch f[0] {
	case "lock":
		r.Locks = append(r.Locks, api.LockWaits{
			How:       f[1],
			Thread:    f[2],
			Class:     f[3],
			Durations: waits(),
		})
	case "pinned":
		r.Pinned = append(r.Pinned, api.PinnedWaits{Reason: f[1], Durations: waits()})
	case "gc":
		r.GCs = append(r.GCs, api.GCPauses{Name: f[1], Cause: f[2], Durations: waits()})
	case "started":
		r.Started[f[1]] = n[0]
	case "waited":
		r.Waits = append(r.Waits, Wait{Span{n[1], n[2]}, n[0]})
	case "stall":
		r.Stalls = append(r.Stalls, Span{n[1], n[2]})
	case "unlisted":
		r.Unlisted = n[0]
	case "truncated":
		r.Truncated = n[0]
	case "lost":
		r.LostBytes = n[0]
	}
}
