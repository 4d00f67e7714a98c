package trial

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/sample"
)

const (
	// threadsWithin bounds the dump of a server that may hang.
	threadsWithin = 2 * time.Second
	// Most bytes that are kept of a file of a failed server: of its beginning, and of its end.
	mostOfBeginning = 256 << 10
	mostOfEnd       = 1 << 20
)

// failed notes where a trial failed while its server may still be there: what its threads do is gone with it.
func (t *trial) failed(ctx context.Context) {
	t.end.Failure = &api.Failure{Phase: t.batch.phase()}
	if t.proc == nil || !t.parts.spec.HasJVM() {
		return
	}
	select {
	case <-t.proc.Done():
		return
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, threadsWithin)
	defer cancel()
	threads, err := t.attach.Command(ctx, "Thread.print -l")
	if err != nil {
		t.missing(string(api.ThreadsArtefact), err.Error())
		return
	}
	t.keepText(api.ThreadsArtefact, []byte(threads))
}

// explain keeps what the server of a failed trial left behind.
func (t *trial) explain() {
	failure := t.end.Failure
	if failure == nil || t.proc == nil {
		return
	}
	t.keepFile(api.OutputArtefact, t.proc.OutputPath())
	status, byItself := t.proc.Ended()
	if t.parts.spec.HasJVM() {
		report := t.keepFile(api.CrashArtefact, t.proc.CrashReport())
		failure.Crash = text(cut(crash(report), longestHealth))
		if !t.diagnostic() || len(t.steps) == 0 { // else it was kept already
			t.keepFile(api.JVMLogArtefact, t.proc.JVMLog())
		}
	}
	if byItself || failure.Crash != nil {
		failure.Exit = text(cut(status, longestHealth))
	}
}

// keepFile keeps a text that the server has written, without its middle if it is long, and gives it; nil: there is none.
func (t *trial) keepFile(name api.ArtefactName, path string) []byte {
	content, err := readEnds(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(content) == 0:
		return nil
	case err != nil:
		t.missing(string(name), err.Error())
		return nil
	}
	t.keepText(name, content)
	return content
}

func (t *trial) keepText(name api.ArtefactName, content []byte) {
	t.keep(name, []byte(portable(t.launch, string(bytes.ToValidUTF8(content, []byte("?"))))))
}

// readEnds reads a file that the server has written, of a long one its beginning and its end.
func readEnds(path string) ([]byte, error) {
	f, err := sample.OpenPlain(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if size <= mostOfBeginning+mostOfEnd {
		return io.ReadAll(io.LimitReader(f, mostOfBeginning+mostOfEnd))
	}
	content := make([]byte, mostOfBeginning)
	if _, err := io.ReadFull(f, content); err != nil {
		return nil, err
	}
	end, err := io.ReadAll(io.NewSectionReader(f, size-mostOfEnd, mostOfEnd))
	return bytes.Join([][]byte{content, []byte("\n[its middle is left out here]\n"), end}, nil), err
}

var ids = regexp.MustCompile(`, pid=\d+, tid=\d+`)

// crash is what a JVM's crash report says first: what happened, and in which code.
func crash(report []byte) string {
	var happened, frame []string
	into := &happened
	for line := range strings.Lines(string(report)) {
		line, commented := strings.CutPrefix(line, "#")
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case !commented:
			return strings.Join(slices.Concat(happened, frame), " ")
		case strings.HasPrefix(line, "A fatal error has been detected"):
		case line == "", strings.HasPrefix(line, "JRE version:"), strings.HasPrefix(line, "Possible reasons:"):
			if len(happened) > 0 {
				into = nil
			}
		case line == "Problematic frame:":
			frame, into = []string{"in"}, &frame
		case into != nil:
			*into = append(*into, ids.ReplaceAllString(line, ""))
		}
	}
	return strings.Join(slices.Concat(happened, frame), " ")
}
