package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// key says which launch it is.
type key struct {
	Fingerprint string `json:"fingerprint"` // of the machine
	Commit      string `json:"commit"`
	Matrix      string `json:"matrix"`
	Cell        string `json:"cell"` // server and variant
	JDK         string `json:"jdk"`  // the selector that was asked for
	Round       int    `json:"round"`
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
	NotWarm     []string  `json:"notWarm"`          // by step/1
	CPUMicros   *float64  `json:"cpuMicrosPerRequest"`
	JITShare    *float64  `json:"jitShare"` // of the JVM's CPU time in the step
	P50Ms       *float64  `json:"responseP50Ms"`
	P99Ms       *float64  `json:"responseP99Ms"`
}

// evidence is a file of launches, only ever appended to.
type evidence struct {
	path     string
	launches []launch
}

func open(path string) (*evidence, error) {
	e := &evidence{path: path}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return e, os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for n := 1; lines.Scan(); n++ {
		var l launch
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		e.launches = append(e.launches, l)
	}
	return e, lines.Err()
}

func (e *evidence) holds(k key) bool {
	for _, l := range e.launches {
		if l.key == k {
			return true
		}
	}
	return false
}

func (e *evidence) add(l launch) error {
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(e.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	e.launches = append(e.launches, l)
	return errors.Join(err, file.Close())
}
