package trial

import (
	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/load"
)

// OperationSummary is one operation of a mix in figures, in one step.
type OperationSummary struct {
	Name       string           `json:"name"`
	Share      float64          `json:"share"` // of the hits offered, 0 to 1
	Offered    int64            `json:"offered"`
	Completed  int64            `json:"completed"`
	Failed     int64            `json:"failed"`
	Unfinished int64            `json:"unfinished"`
	Response   *Distribution    `json:"response"`
	Service    *Distribution    `json:"service"`
	Errors     []api.ErrorClass `json:"errors,omitempty"`
}

// summarizeOperations of a step, whose own figures are those of all its operations.
func summarizeOperations(operations []api.Operation, whole StepSummary, deadlineNs int64) ([]OperationSummary, error) {
	var out []OperationSummary
	for _, o := range operations {
		one := OperationSummary{
			Name:       o.Name,
			Offered:    o.Offered,
			Completed:  o.Completed,
			Failed:     o.Failed,
			Unfinished: o.Unfinished,
			Errors:     o.Errors,
		}
		if whole.Offered > 0 {
			one.Share = float64(o.Offered) / float64(whole.Offered)
		}
		var err error
		if one.Response, err = partOf(whole.Response, histogramPair{o.Response, o.ResponseFailed}, deadlineNs); err != nil {
			return nil, err
		}
		if one.Service, err = partOf(whole.Service, histogramPair{o.Service, o.ServiceFailed}, deadlineNs); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// partOf is the distribution of one operation. Its seconds are not known, so a percentile of it means something when enough of
// its own hits lie beyond, and the whole's has enough independent ones.
func partOf(whole *Distribution, of histogramPair, deadlineNs int64) (*Distribution, error) {
	h, err := of.all(deadlineNs)
	if err != nil {
		return nil, err
	}
	sum := load.Summarize(h)
	if sum == nil || whole == nil {
		return nil, nil
	}
	percentile := func(perMille, ns int64, whole Percentile) Percentile {
		return Percentile{Ms: float64(ns) * msPerNs, Eligible: whole.Eligible && enoughBeyond(perMille, sum.Count)}
	}
	return &Distribution{
		P50:  percentile(500, sum.P50, whole.P50),
		P95:  percentile(950, sum.P95, whole.P95),
		P99:  percentile(990, sum.P99, whole.P99),
		P999: percentile(999, sum.P999, whole.P999),
		Max:  float64(sum.Max) * msPerNs,
	}, nil
}
