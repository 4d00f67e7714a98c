package trial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
)

func TestRun_a_failed_trial_keeps_what_its_server_left(t *testing.T) {
	m, build := faulty(t)
	g := beside(t)
	for _, f := range []struct {
		variant     string
		phase       api.Phase
		exit, crash string // a part of each; empty: there is none
		holds       map[api.ArtefactName]string
	}{
		{"no-option", api.PhaseStart, "exit status 1", "", map[api.ArtefactName]string{api.OutputArtefact: "NoSuchOption"}},
		{"late-dies", api.PhaseWarmup, "exit status 7", "", map[api.ArtefactName]string{api.JVMLogArtefact: "Using Serial"}},
		{"late-crashes", api.PhaseWarmup, "signal: aborted", "SIGSEGV (0xb)", map[api.ArtefactName]string{
			api.OutputArtefact: "A fatal error has been detected", api.CrashArtefact: "S U M M A R Y", api.JVMLogArtefact: "Using Serial"}},
		{"measured-crashes", api.PhaseMeasure, "signal: aborted", "SIGSEGV (0xb)", map[api.ArtefactName]string{
			api.OutputArtefact: "A fatal error has been detected", api.CrashArtefact: "S U M M A R Y", api.JVMLogArtefact: "Using Serial"}},
		{"late-hangs", api.PhaseWarmup, "", "", map[api.ArtefactName]string{api.ThreadsArtefact: "Faulty.answer", api.JVMLogArtefact: "Using Serial"}},
	} {
		g.add(f.variant, m, func(t *testing.T, c Config) {
			record := checked(t)
			if result, err := Run(t.Context(), c, faultyJob(build, f.variant), record, nil); err != nil || result.Outcome != api.Failed {
				t.Fatalf("%+v, %v", result, err)
			}
			failure := record.End.Failure
			if failure == nil || failure.Phase != f.phase || !says(failure.Exit, f.exit) || !says(failure.Crash, f.crash) {
				t.Errorf("%+v, exit %v, crash %v; want phase %s, %q, %q", failure, failure.Exit, failure.Crash, f.phase, f.exit, f.crash)
			}
			for _, name := range api.FailureArtefacts {
				content := string(record.Artefacts[name])
				if want := f.holds[name]; !strings.Contains(content, want) || want == "" && content != "" && name != api.OutputArtefact {
					t.Errorf("%s must hold %q, is %.200q; missing: %s", name, want, content, record.End.Missing[string(name)])
				}
				if strings.Contains(content, c.Dir) {
					t.Errorf("%s names this machine's folders", name)
				}
			}
		})
	}
	g.run()
}

func says(text *string, part string) bool {
	if part == "" {
		return text == nil
	}
	return text != nil && strings.Contains(*text, part)
}

func TestCrash_isWhatTheReportSaysFirst(t *testing.T) {
	for report, want := range map[string]string{
		`#
# A fatal error has been detected by the Java Runtime Environment:
#
#  SIGSEGV (0xb) at pc=0x00007f1a95ed3efc (sent by kill), pid=19261, tid=19261
#
# JRE version: OpenJDK Runtime Environment (21.0.13+9) (build 21.0.13+9)
# Java VM: OpenJDK 64-Bit Server VM (21.0.13+9, mixed mode, sharing)
# Problematic frame:
# V  [libjvm.so+0x9cefc]   PhaseIdealLoop::build_loop_late_post(Node*)+0x1a4
#
# No core dump will be written.

---------------  S U M M A R Y ------------
`: "SIGSEGV (0xb) at pc=0x00007f1a95ed3efc (sent by kill) in V [libjvm.so+0x9cefc] PhaseIdealLoop::build_loop_late_post(Node*)+0x1a4",
		`#
# There is insufficient memory for the Java Runtime Environment to continue.
# Native memory allocation (mmap) failed to map 1048576 bytes. Error detail: committing reserved memory.
# Possible reasons:
#   The system is out of physical RAM or swap space
# Possible solutions:
#   Reduce memory load on the system

`: "There is insufficient memory for the Java Runtime Environment to continue. " +
			"Native memory allocation (mmap) failed to map 1048576 bytes. Error detail: committing reserved memory.",
		`# A fatal error has been detected by the Java Runtime Environment:
#
#  Internal Error (loopnode.cpp:1234), pid=1, tid=2
#  assert(false) failed: bad
`: "Internal Error (loopnode.cpp:1234) assert(false) failed: bad",
		"":              "",
		"nothing of it": "",
	} {
		if got := crash([]byte(report)); got != want {
			t.Errorf("%.80q:\n got %q\nwant %q", report, got, want)
		}
	}
}

func TestReadEnds_leavesOutTheMiddleOfALongFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long")
	content := "begin" + strings.Repeat("-", mostOfBeginning+mostOfEnd) + "end"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readEnds(path)
	if s := string(got); err != nil || !strings.HasPrefix(s, "begin-") || !strings.HasSuffix(s, "-end") || !strings.Contains(s, "left out here") ||
		len(s) > mostOfBeginning+mostOfEnd+100 {
		t.Errorf("%d bytes, %v", len(s), err)
	}
	if err := os.WriteFile(path, []byte(content[5:len(content)-3]), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err = readEnds(path); err != nil || string(got) != content[5:len(content)-3] {
		t.Errorf("%d bytes of a file that is kept whole, %v", len(got), err)
	}
}
