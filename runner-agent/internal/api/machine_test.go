package api

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestQualification_isToldToAServiceOfBeforeAsOfTheCellItKnows(t *testing.T) {
	q := Qualification{Schema: SchemaQualification, AgentVersion: "2", Cells: []QualificationCell{
		{Resource: CPU, QualifiedCell: QualifiedCell{Cell: "compute", Trials: 10}},
		{Resource: Network, QualifiedCell: QualifiedCell{Cell: "empty", Trials: 12}},
	}}
	one, ok := q.OfOne()
	if !ok || one.Schema != SchemaQualificationOfOne || one.Cell != "empty" || one.Trials != 12 || one.AgentVersion != "2" {
		t.Fatalf("%+v, %v", one, ok)
	}
	text, err := json.Marshal(one)
	if err != nil || strings.Contains(string(text), "cells") || strings.Contains(string(text), "resource") {
		t.Errorf("%s, %v", text, err)
	}
	if again, ok := one.OfOne(); !ok || again.Cell != "empty" {
		t.Errorf("%+v, %v", again, ok)
	}
	q.Cells = q.Cells[:1]
	if _, ok := q.OfOne(); ok {
		t.Error("one of another cell is told as that of requests")
	}
}
