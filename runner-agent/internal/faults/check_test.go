package faults

import (
	"strings"
	"testing"

	"loomboard.dev/agent/internal/simulated"
)

func TestCompare_ofWhatIsStored(t *testing.T) {
	id := simulated.BatchID{Trial: "trl_aaaaaaaaaaaaaaaaaaaa", Seq: 1}
	for name, c := range map[string]struct {
		sent simulated.Batch
		when When
		want string // of the complaint; "": none
	}{
		"its content":                         {simulated.Batch{Digest: "a", Sealed: true}, Working, ""},
		"another content":                     {simulated.Batch{Digest: "b", Sealed: true}, Working, "another content"},
		"sealed after its ledger was read":    {simulated.Batch{}, Working, ""},
		"never sealed, when all has settled":  {simulated.Batch{}, Settled, "another content"},
		"its content, when all has settled":   {simulated.Batch{Digest: "a", Sealed: true}, Settled, ""},
		"another content, when it is settled": {simulated.Batch{Digest: "b"}, Settled, "another content"},
	} {
		var out Outcome
		out.compare(map[simulated.BatchID]simulated.Batch{id: c.sent}, map[simulated.BatchID]stored{id: {digest: "a"}}, c.when)
		if got := strings.Join(out.Wrong, "\n"); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: complains of %q, must of %q", name, got, c.want)
		}
	}
}
