package server

import "testing"

// The sample servers of this repository say what they must, and name workloads
// that there are.
func TestSample_servers_are_well_described(t *testing.T) {
	const dir = "../../../sample-servers"
	w, err := LoadWorkloads(dir + "/workloads.yaml")
	if err != nil {
		t.Fatal(err)
	}
	specs, err := LoadSpecs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range specs {
		if lacking := w.Lacking(s); len(lacking) > 0 {
			t.Errorf("%s names workloads that are not in workloads.yaml: %v", s.Name, lacking)
		}
	}
}
