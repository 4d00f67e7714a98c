package plan

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"loomboard.dev/agent/internal/api"
)

// The service reads the same cases.
func TestSpoilt_asTheServiceDecides(t *testing.T) {
	text, err := os.ReadFile(examples + "spoilt-blocks.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Note     string      `json:"note"`
			Blocks   [][]Attempt `json:"blocks"`
			Repeated []int       `json:"repeated"`
			Repeats  []Repeat    `json:"repeats"`
			Left     int         `json:"left"`
		} `json:"cases"`
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for _, c := range file.Cases {
		before := map[int]bool{}
		for _, block := range c.Repeated {
			before[block] = true
		}
		repeats, left := Spoilt(c.Blocks, before)
		if repeats == nil {
			repeats = []Repeat{}
		}
		if !reflect.DeepEqual(repeats, c.Repeats) || left != c.Left {
			t.Errorf("%s: %+v, %d left; must be %+v, %d", c.Note, repeats, left, c.Repeats, c.Left)
		}
	}
}

// Two companies, whose blocks of the same number follow each other without a diagnostic trial between.
func TestBlocks_areOfOneCompanyAndNumber(t *testing.T) {
	trials := []Trial{
		{Cell: 1, Kind: api.Scored, Ordinal: 1}, {Cell: 0, Kind: api.Scored, Ordinal: 1},
		{Cell: 2, Kind: api.Scored, Ordinal: 1, Company: 1}, {Cell: 3, Kind: api.Scored, Ordinal: 1, Company: 1},
		{Cell: 2, Kind: api.Diagnostic, Ordinal: 1, Company: 1},
		{Cell: 3, Kind: api.Scored, Ordinal: 2, Company: 1},
	}
	if got, want := Blocks(trials), [][]int{{0, 1}, {2, 3}, {5}}; !reflect.DeepEqual(got, want) {
		t.Errorf("blocks are %v, must be %v", got, want)
	}
}
