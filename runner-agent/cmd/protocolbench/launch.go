package main

import (
	"slices"
	"time"

	"loomboard.dev/agent/internal/evidence"
)

// key says which launch it is.
type key struct {
	evidence.Place
	Matrix string `json:"matrix"`
	Cell   string `json:"cell"` // server and variant
	JDK    string `json:"jdk"`  // the selector that was asked for
	Round  int    `json:"round"`
}

// launch is one trial and its figures; those of a step that was not measured are null.
type launch struct {
	key
	At          time.Time `json:"at"`
	Class       string    `json:"class"` // of the machine, in words
	Build       string    `json:"build"` // slug of the JDK
	WallSeconds float64   `json:"wallSeconds"`
	WarmSeconds float64   `json:"warmupSeconds"`
	Outcome     string    `json:"outcome"`
	Reason      string    `json:"reason,omitempty"`
	Validity    string    `json:"validity"`
	Steady      string    `json:"steady,omitempty"` // of an adaptive warm-up
	NotWarm     []string  `json:"notWarm"`          // by step/2 or step/3, unsteady times among it
	CPUMicros   *float64  `json:"cpuMicrosPerRequest"`
	JITShare    *float64  `json:"jitShare"` // of the JVM's CPU time in the step
	P50Ms       *float64  `json:"responseP50Ms"`
	P99Ms       *float64  `json:"responseP99Ms"`
}

func holds(file *evidence.File[launch], k key) bool {
	return slices.ContainsFunc(file.All, func(l launch) bool { return l.key == k })
}
