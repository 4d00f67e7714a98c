package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// Verdicts of a candidate against its baseline; an empty one is none.
const (
	Faster       = "faster"
	Slower       = "slower"
	Equivalent   = "equivalent"
	Inconclusive = "inconclusive"
	FailsLess    = "fails less" // of the share of failed hits, as FailsMore
	FailsMore    = "fails more"
)

// Comparison is two JDK builds, cell by cell.
type Comparison struct {
	URL          string         `json:"url"` // path of the page that shows the same
	Baseline     ComparedBuild  `json:"baseline"`
	Candidate    ComparedBuild  `json:"candidate"`
	Distribution bool           `json:"distribution"` // their lineages differ
	Tests        []ComparedCell `json:"tests"`
}

// ComparedBuild is one side.
type ComparedBuild struct {
	Slug           string `json:"slug"`
	Vendor         string `json:"vendor"`
	RuntimeVersion string `json:"runtimeVersion"`
	Feature        int    `json:"feature"`
	Availability   string `json:"availability"`
	LineageHash    string `json:"lineageHash"`
}

// ComparedCell is one metric of one cell on both builds; what there is none of is nil.
type ComparedCell struct {
	Scenario          string   `json:"scenario"`
	Server            string   `json:"server"`
	Variant           string   `json:"variant"`
	Collector         string   `json:"collector"`
	JDK               *string  `json:"jdk"` // that both ran on; nil: the builds are what is compared
	Machine           string   `json:"machine"`
	Metric            string   `json:"metric"`
	Unit              string   `json:"unit"`
	Run               *string  `json:"run"`
	Baseline          float64  `json:"baseline"`
	BaselineTrials    int      `json:"baselineTrials"`
	Candidate         float64  `json:"candidate"`
	CandidateTrials   int      `json:"candidateTrials"`
	Ratio             *float64 `json:"ratio"`
	Low               *float64 `json:"low"`
	High              *float64 `json:"high"`
	Method            string   `json:"method"`
	Verdict           *string  `json:"verdict"`
	AdjustedP         *float64 `json:"adjustedP"`
	FamilySize        *int     `json:"familySize"`
	Methodology       *string  `json:"methodology"`
	Blocks            *int     `json:"blocks"`
	SuspectBlocks     *int     `json:"suspectBlocks"`
	Margin            *float64 `json:"margin"`
	Decidable         *float64 `json:"decidable"`
	Findable          *float64 `json:"findable"` // change that would be found with a power of 0.8
	FindableLow       *float64 `json:"findableLow"`
	FindableHigh      *float64 `json:"findableHigh"`
	FurtherBlocks     *int     `json:"furtherBlocks"`
	FurtherBlocksMost *int     `json:"furtherBlocksMost"` // nil: beyond any plan, or not known
	ExcludedBaseline  *int     `json:"excludedBaseline"`
	ExcludedCandidate *int     `json:"excludedCandidate"`
	DependsOnLost     *int     `json:"dependsOnLost"` // excluded trials that could turn what the blocks say; nil: none could
	Disagreement      *string  `json:"disagreement"`
	Reason            *string  `json:"reason"`
	Attempts          *int     `json:"attempts"` // runs of the pair, whatever became of them

	Pooled    *Pooled    `json:"pooled"`
	Retracted *Retracted `json:"retracted"`
}

// Pooled is the estimate of all runs of a pair, which has no verdict.
type Pooled struct {
	Runs   int      `json:"runs"`
	Ratio  float64  `json:"ratio"`
	Low    float64  `json:"low"`
	High   float64  `json:"high"`
	Spread *float64 `json:"spread"` // between runs, of ln ratio
}

// Retracted is a version that was found wrong: what was measured with it has no verdict.
type Retracted struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // server or workload
	Name    string `json:"name"`
	Version string `json:"version"` // of a server the digest of its artefact and server.yaml, of a workload a number
	Reason  string `json:"reason"`
	At      string `json:"at"`
	By      string `json:"by"`
}

// Decided is the verdict, or empty.
func (c ComparedCell) Decided() string {
	if c.Verdict == nil {
		return ""
	}
	return *c.Verdict
}

// Compare asks for two builds by their slugs, as the service wrote it and as read from that;
// an empty scenario is all, else its key or the name of a workload.
func (c *Client) Compare(
	ctx context.Context, baseline, candidate, scenario string) (json.RawMessage, Comparison, error) {
	query := url.Values{"baseline": {baseline}, "candidate": {candidate}}
	if scenario != "" {
		query.Set("scenario", scenario)
	}
	var out Comparison
	text, err := c.compared(ctx, "/api/v1/comparisons?"+query.Encode(), &out)
	return text, out, err
}

// Sides is two sides that are no JDK builds, cell by cell.
type Sides struct {
	URL       string         `json:"url"`
	Axis      string         `json:"axis"` // server, collector, limits, machine or run
	Baseline  string         `json:"baseline"`
	Candidate string         `json:"candidate"`
	Tests     []ComparedCell `json:"tests"`
}

// CompareSides asks for two sides on an axis, by the names that pages have in their addresses.
func (c *Client) CompareSides(ctx context.Context,
	axis, baseline, candidate, scenario string) (json.RawMessage, Sides, error) {
	query := url.Values{"baseline": {baseline}, "candidate": {candidate}}
	if scenario != "" {
		query.Set("scenario", scenario)
	}
	var out Sides
	text, err := c.compared(ctx, "/api/v1/comparisons/"+url.PathEscape(axis)+"?"+query.Encode(), &out)
	return text, out, err
}

func (c *Client) compared(ctx context.Context, path string, out any) (json.RawMessage, error) {
	var text json.RawMessage
	if _, err := c.json(ctx, callTimeout, http.MethodGet, path, nil, &text); err != nil {
		return nil, err
	}
	return text, json.Unmarshal(text, out)
}
