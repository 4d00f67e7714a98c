package trial

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/overload"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/verdict"
)

var recordAnew = flag.Bool("record", false, "measure the recorded conversations anew; the service's tests read them")

// conversations are trials of servers that fail and that cannot keep up, as the agent sent
// them, with the figures that the agent itself makes of them: the service must make the same.
const conversations = "../../../backend/src/test/resources/recorded"

type conversation struct {
	Batches []api.Batch   `json:"batches"`
	Steps   []StepSummary `json:"agentSays"`
}

// keeper is a Record that also keeps the batches.
type keeper struct {
	Record
	batches []api.Batch
}

func (k *keeper) Put(b api.Batch) error {
	k.batches = append(k.batches, b)
	return k.Record.Put(b)
}

func recordConversation(t *testing.T, name, variant string, l api.Load) {
	t.Helper()
	servers := t.TempDir()
	if err := overload.Write(servers); err != nil {
		t.Fatal(err)
	}
	m, err := ReadMachine(t.Context(), servers, false, jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(m.JDKs.Builds))
	build := m.JDKs.Builds[len(m.JDKs.Builds)-1]
	c := configured(t, m)
	j := job(build)
	j.Server, j.Variant, j.Workload, j.Params, j.Load = "overload", variant, "hit", map[string]any{}, l
	j.Phases = api.Phases{Warmup: []api.Warmup{{Rate: 50, Seconds: 1}}, SettleSeconds: 0.1}
	j.MaxWorkers, j.TimeoutSeconds = 2048, 30
	k := &keeper{}
	if result, err := Run(t.Context(), c, j, k, nil); err != nil || result.Outcome != api.Done {
		t.Fatalf("%s: %+v, %v", name, result, err)
	}
	steps, err := k.Summarize()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(conversation{k.batches, steps}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(conversations, name), append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func conversationOf(t *testing.T, name string) (Record, StepSummary) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(conversations, name))
	if err != nil {
		t.Fatalf("%v; measure it with go test -run recorded -record", err)
	}
	var c conversation
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	var r Record
	for _, b := range c.Batches {
		if err := r.Put(b); err != nil {
			t.Fatal(err)
		}
	}
	steps, err := r.Summarize()
	if err != nil {
		t.Fatal(err)
	}
	says, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	said, err := json.Marshal(c.Steps)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(says, said) {
		t.Errorf("%s: the agent says\n%s\nand said\n%s", name, says, said)
	}
	return r, steps[0]
}

func TestRecorded_conversations(t *testing.T) {
	if !*recordAnew {
		return
	}
	recordConversation(t, "waits.json", "waits", api.Load{Profile: api.Constant, Rate: 300, Seconds: 10})
	recordConversation(t, "sheds.json", "sheds", api.Load{Profile: api.Constant, Rate: 300, Seconds: 10})
	recordConversation(t, "saturated.json", "narrow", api.Load{Profile: api.Constant, Rate: 1300, Seconds: 10})
}

// A server that sheds three of five hits with instant answers is no faster than one that
// does its work.
func TestRecorded_quickFailuresAreNoSpeed(t *testing.T) {
	r, sheds := conversationOf(t, "sheds.json")
	successes, err := load.DecodeHistogram(r.Steps[0].Response)
	if err != nil {
		t.Fatal(err)
	}
	if ofSuccesses := float64(successes.ValueAtQuantile(50)) / 1e6; ofSuccesses < 20 || sheds.Response.P50.Ms < ofSuccesses {
		t.Errorf("response p50 %v ms, of successes alone %v ms", sheds.Response.P50.Ms, ofSuccesses)
	}
	if sheds.Failed != 1800 || sheds.Completed != 1200 {
		t.Errorf("%d failed, %d completed", sheds.Failed, sheds.Completed)
	}
	_, waits := conversationOf(t, "waits.json")
	if waits.Failed != 0 || waits.Response.P50.Ms > sheds.Response.P50.Ms {
		t.Errorf("the sound server: %d failed, p50 %v ms", waits.Failed, waits.Response.P50.Ms)
	}
}

// Work counts when it is done: what a saturated server answers after the step is no
// throughput of it.
func TestRecorded_workOfTheDrainIsNotThroughput(t *testing.T) {
	r, s := conversationOf(t, "saturated.json")
	if s.Completed != 13_000 {
		t.Fatalf("%d completed", s.Completed)
	}
	if s.Throughput < 900 || s.Throughput > 1000 || s.Throughput != float64(r.Steps[0].Outcomes.CompletedInStep)/10 {
		t.Errorf("%v/s done of a server that can do 1000/s", s.Throughput)
	}
	used, ok := r.Samples.Delta("proc.cpu_s", r.Steps[0].StartNs, r.Steps[0].EndNs)
	if want := used * 1e6 / float64(r.Steps[0].Outcomes.CompletedInStep); !ok || math.Abs(*s.CPUMicros-want) > 1e-9 {
		t.Errorf("CPU per request %v µs, want %v", *s.CPUMicros, want)
	}
}

// The service judges the same of these conversations (RecordedConversationTest).
func TestRecorded_judgedAsTheServiceDoes(t *testing.T) {
	for name, failed := range map[string]float64{"sheds.json": 0.6, "waits.json": 0} {
		r, says := conversationOf(t, name)
		values, err := r.Judged(0)
		if err != nil {
			t.Fatal(err)
		}
		if got := values[verdict.Failed]; got.Value != failed || got.Reason != "" {
			t.Errorf("%s: %+v failed", name, got)
		}
		p50 := values[verdict.ExcessP50]
		if p50.Value != says.Response.P50.Ms {
			t.Errorf("%s: p50 %+v, must be %v ms", name, p50, says.Response.P50.Ms)
		}
		if shed := strings.Contains(p50.Reason, "60.0 % of the hits failed: this is their deadline"); shed != (failed > 0) {
			t.Errorf("%s: p50 may not be judged: %q", name, p50.Reason)
		}
		if got := values[verdict.CPU].Value; got != *says.CPUMicros {
			t.Errorf("%s: %v µs of CPU, must be %v", name, got, *says.CPUMicros)
		}
		if got := values[verdict.Memory]; got.Value != *says.RSSMiB || got.Reason != "" {
			t.Errorf("%s: %+v MiB", name, got)
		}
	}
}
