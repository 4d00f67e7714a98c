package server

import "testing"

// The sample servers of this repository say what they must, and name workloads
// that there are.
func TestSample_servers_are_well_described(t *testing.T) {
	specs, err := LoadFolder("../../../sample-servers")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range specs {
		if len(s.Described) != len(s.Workloads) || len(s.own) > 0 {
			t.Errorf("%s: %d of %d workloads are described, %d by itself", s.Name, len(s.Described), len(s.Workloads), len(s.own))
		}
	}
}
