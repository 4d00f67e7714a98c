package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"loomboard.dev/agent/internal/api"
)

const lines = "waited\t7\t1000\t2000\nlock\tenter\tplatform\tapp.Lock\t3\t900\t400\npinned\t\t2\t10\t6\n" +
	"gc\tG1New\tG1 Evacuation Pause\t1\t5\t5\nstarted\tvirtual\t9\t0\t0\nstack\t4\ta;b\nload\t0.25\nunlisted\t0\ntruncated\t1\nlost\t0\n"

func TestParseRecording_takesEveryLine(t *testing.T) {
	r, err := parseRecording(strings.NewReader(lines + "end\n"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Waits[0] != (Wait{Span{1000, 2000}, 7}) || r.Locks[0] != (api.LockWaits{How: "enter", Thread: "platform", Class: "app.Lock", Durations: api.Durations{Count: 3, TotalNs: 900, LongestNs: 400}}) ||
		r.Pinned[0].Count != 2 || r.GCs[0].Cause != "G1 Evacuation Pause" || r.Started["virtual"] != 9 || r.Stacks["a;b"] != 4 ||
		*r.Load != 0.25 || r.Truncated != 1 {
		t.Errorf("%+v", r)
	}
}

func TestParseRecording_refusesWhatIsCutShortOrUnknown(t *testing.T) {
	for _, text := range []string{"", lines, "lock\tenter\tplatform\t3\t900\t400\nend\n", "news\t1\nend\n", "stack\tmany\ta\nend\n"} {
		if r, err := parseRecording(strings.NewReader(text)); err == nil {
			t.Errorf("%q was taken for %+v", text, r)
		}
	}
}

func TestUnpackReader_runsTheCompiledOneWhereThereIsOne(t *testing.T) {
	files := fstest.MapFS{"reader/Recording.java": {Data: []byte("source")}}
	for _, c := range []struct {
		last     string
		compiled bool
	}{{"Recording.java", false}, {"Recording", true}} {
		dir := t.TempDir()
		program, remove, err := unpackReader(files, dir)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(program[len(program)-1]) != c.last || (program[0] == "-cp") != c.compiled {
			t.Errorf("%q", program)
		}
		remove()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		files["reader/Recording.class"] = &fstest.MapFile{Data: []byte("compiled")}
	}
}
