package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/verdict"
)

const twoPlain = "variants: [{name: one}, {name: two, args: [through-a-child]}]"

// Whether so short trials are sound depends on what else the machine does, so that is not asked.
func TestCompareHere_ofTwoVariantsWithoutAJVM(t *testing.T) {
	t.Parallel()
	results := filepath.Join(t.TempDir(), "results")
	o := comparingHere{variants: "one,two", results: results, rate: 40, seconds: 1, blocks: 3, phases: &shortPhases}
	p, err := o.prepare(t.Context(), testbed.PlainFolder(t, twoPlain))
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(p.dir)
	var out bytes.Buffer
	p.out = &out
	p.announce()
	if says := strings.ReplaceAll(out.String(), results, ""); !strings.Contains(says, "two against one") || !strings.Contains(says, "0.5 s of warm-up") || strings.Contains(says, "JVM") {
		t.Error(says)
	}
	if err := p.execute(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = p.conclude(false) // what it comes to is the machine's
	var result comparisonResult
	if err := readJSON(filepath.Join(results, resultFile), &result); err != nil || len(result.Outcomes) != len(verdict.Metrics) {
		t.Fatalf("%+v, %v", result, err)
	}
	for i, r := range p.results {
		if r.Outcome != api.Done || p.values[i][verdict.CPU].Value <= 0 || p.values[i][verdict.Memory].Value <= 0 {
			t.Errorf("block %d: %s, %+v", r.Ordinal, r.Reason, p.values[i])
		}
	}
}

func TestCompareHere_keepsItsTrialsInAFolderNamedByWhatIsCompared(t *testing.T) {
	t.Chdir(t.TempDir())
	o := comparingHere{variants: "one,two", rate: 40, seconds: 1, blocks: 3, phases: &shortPhases}
	p, err := o.prepare(t.Context(), testbed.PlainFolder(t, twoPlain))
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(p.dir)
	p.out = io.Discard
	_ = p.conclude(false) // of no trial yet
	var result comparisonResult
	if err := readJSON(filepath.Join("compare-plain-one-two", resultFile), &result); err != nil {
		t.Error(err)
	}
}

func TestCompareHere_saysWhatIsWrongOfServersWithoutAJVM(t *testing.T) {
	away(t)
	folder, runs := testbed.PlainFolder(t, twoPlain), testbed.PlainFolder(t)
	const text = "schema: loomboard.server/1\nkind: url\nname: runs\ntitle: Runs\nurl: http://localhost\nworkloads: [hello]\n"
	if err := os.WriteFile(filepath.Join(runs, "server.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		exit int
		args []string
	}{
		{"two of its variants are compared: --variant A,B without --jdk; it has: one, two", exitUsage, []string{folder, "--jdk", "25,26"}},
		{"two of its variants are compared", exitUsage, []string{folder, "--variant", "one"}},
		{"both sides are one: there is nothing to compare", exitUsage, []string{folder, "--variant", "one,one"}},
		{"of kind url: comparisons take servers that the agent starts", exitNoAnswer, []string{runs, "--variant", "one,two"}},
	} {
		err := dispatch(t.Context(), append([]string{"compare"}, c.args...))
		if err == nil || !strings.Contains(err.Error(), c.says) || exitCode(err, false) != c.exit {
			t.Errorf("%v: %v, must say %q and exit with %d", c.args, err, c.says, c.exit)
		}
	}
}
