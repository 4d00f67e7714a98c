package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestOpenKept_dropsWhatLiesBeyondAGap(t *testing.T) {
	dir := t.TempDir()
	k, err := openKept(dir, aComparison(), 1)
	for place := range 8 {
		err = errors.Join(err, k.keep(place, madeTrial{}))
	}
	if err := errors.Join(err, os.Remove(k.path(3))); err != nil {
		t.Fatal(err)
	}
	again, err := openKept(dir, aComparison(), 1)
	if err != nil || len(again.made) != 2 {
		t.Fatalf("%d made, %v", len(again.made), err)
	}
	if err := errors.Join(k.keep(2, madeTrial{}), k.keep(3, madeTrial{})); err != nil {
		t.Fatal(err)
	}
	if filled, err := openKept(dir, aComparison(), 1); err != nil || len(filled.made) != 4 {
		t.Errorf("%d made after the gap was filled: old trials came back; %v", len(filled.made), err)
	}
}

func TestOpenKept_refusesTrialsOfAnotherComparison(t *testing.T) {
	dir := t.TempDir()
	drawn := aComparison()
	drawn.Seed = 0
	if k, err := openKept(dir, drawn, 42); err != nil || k.plan.Seed != 42 {
		t.Fatalf("%+v, %v", k, err)
	}
	if k, err := openKept(dir, drawn, 43); err != nil || k.plan.Seed != 42 {
		t.Errorf("another seed than that of its beginning: %+v, %v", k, err)
	}
	other := drawn
	other.Blocks = 4
	if k, err := openKept(dir, other, 44); err != nil || k.plan.Blocks != 4 {
		t.Errorf("refused although nothing is made: %+v, %v", k, err)
	}
	k, err := openKept(dir, drawn, 45)
	if err := errors.Join(err, k.keep(0, madeTrial{}), k.keep(1, madeTrial{})); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*comparisonPlan){
		"blocks":       func(p *comparisonPlan) { p.Blocks = 20 },
		"seed":         func(p *comparisonPlan) { p.Seed = 9 },
		"sides":        func(p *comparisonPlan) { p.Sides[1].Identity = "built anew" },
		"host":         func(p *comparisonPlan) { p.Host = "rebooted" },
		"agent":        func(p *comparisonPlan) { p.Agent = "0.2.0" },
		"database":     func(p *comparisonPlan) { p.Database = "127.0.0.1:5432/other" },
		"serverDigest": func(p *comparisonPlan) { p.ServerDigest = "built anew" },
		"phases":       func(p *comparisonPlan) { p.Phases.Adaptive = &warmByCriterion },
	} {
		other := drawn
		change(&other)
		if _, err := openKept(dir, other, 1); err == nil || !strings.Contains(err.Error(), "of another comparison (what differs: "+name+"): name another folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
