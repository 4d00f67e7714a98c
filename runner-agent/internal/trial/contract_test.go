package trial

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"loomboard.dev/agent/internal/api"
)

// contract is the schema of batches, as the service publishes it.
var contract = sync.OnceValues(func() (*jsonschema.Schema, error) {
	text, err := os.ReadFile("../../../backend/api/agent-v1.yaml")
	if err != nil {
		return nil, err
	}
	var document any
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	text, err = json.Marshal(document)
	if err != nil {
		return nil, err
	}
	if document, err = jsonschema.UnmarshalJSON(bytes.NewReader(text)); err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("agent-v1.json", document); err != nil {
		return nil, err
	}
	return c.Compile("agent-v1.json#/components/schemas/Batch")
})

// unlawful is what the service would refuse of a batch; nil: nothing.
func unlawful(b api.Batch) error {
	schema, err := contract()
	if err != nil {
		return err
	}
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

// checked keeps the batches of a trial. At its end the test fails if the service would refuse one.
func checked(t *testing.T) *keeper {
	k := &keeper{}
	t.Cleanup(func() {
		for _, b := range k.batches {
			if err := unlawful(identified(b)); err != nil {
				t.Errorf("the service would refuse batch %d: %v", b.Seq, err)
			}
		}
	})
	return k
}

// identified has the hashes and the lease that machines and jobs of tests lack.
func identified(b api.Batch) api.Batch {
	b.Fencing = max(1, b.Fencing)
	if b.Start != nil {
		start, unknown := *b.Start, strings.Repeat("0", 64)
		start.FingerprintHash, start.ClassHash = cmp.Or(start.FingerprintHash, unknown), cmp.Or(start.ClassHash, unknown)
		b.Start = &start
	}
	return b
}

func TestEnded_ofAPhaseWithoutAnythingUnmetKeepsTheContract(t *testing.T) {
	s := newSteadiness()
	s.ended(api.PhaseSettle, 0, 0, nil, nil)
	text, err := json.Marshal(s.wire())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"unmet":[]`) {
		t.Errorf("%s", text)
	}
}

func TestUnlawful_isWhatTheServiceRefuses(t *testing.T) {
	b := api.Batch{Schema: "loomboard.batch/1", TrialID: "trl_aaaaaaaaaaaaaaaaaaaa", Fencing: 1, End: &api.TrialEnd{
		Steady: &api.Steady{Phases: []api.AdaptivePhase{{Phase: api.PhaseSettle, Seconds: 1, Met: true}}}}}
	err := unlawful(b)
	if !errors.As(err, new(*jsonschema.ValidationError)) || !strings.Contains(err.Error(), "/end/steady/phases/0/unmet") {
		t.Errorf("a null where a list must be: %v", err)
	}
}
