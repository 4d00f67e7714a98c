package local

import "testing"

func TestRun_countsWhatBecameOfItsTrials(t *testing.T) {
	valid, invalid, reason := "valid", "invalid", "host busy"
	run := Run{Trials: []Trial{
		{State: "done", Validity: &valid},
		{State: "failed"},
		{State: "done", Validity: &invalid, Reason: &reason},
		{State: "done", Validity: &valid},
	}}
	if came := run.Came(); came != "1 failed, 1 invalid (host busy), 2 valid" {
		t.Error(came)
	}
	if came := (Run{}).Came(); came != "no trials" {
		t.Error(came)
	}
}

func TestRatio_isSaidInPerCentAndOnlyWithItsInterval(t *testing.T) {
	effect, low, high := 1.052, 0.999, 1.1
	if said := Ratio(&effect, &low, &high); said != "+5.2 % (95 %: -0.1 to +10.0 %)" {
		t.Error(said)
	}
	if said := Ratio(&effect, nil, &high); said != "" {
		t.Error(said)
	}
}
