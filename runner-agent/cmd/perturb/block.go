package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"loomboard.dev/agent/internal/load"
)

// row is one line of the table.
type row struct {
	What  string `json:"what"`  // sampling, jvmti, jfr
	JDK   string `json:"jdk"`   // as it was selected
	Model string `json:"model"` // of concurrency
}

func (r row) name() string { return r.What + "/" + r.JDK + "/" + r.Model }

// arm is what a server did with the instrument on, or off, within one block.
type arm struct {
	CPUNs     int64 `json:"cpuNs"` // of the server's process
	Completed int64 `json:"completed"`
	Lost      int64 `json:"lost"` // not completed, for whatever reason
	P50Ns     int64 `json:"p50Ns"`
	P99Ns     int64 `json:"p99Ns"` // response time
	LagP99Ns  int64 `json:"lagP99Ns"`

	response, lag *hdrhistogram.Histogram
}

// block is one paired comparison.
type block struct {
	row
	Build    string    `json:"build"` // slug of the JDK
	Settings settings  `json:"settings"`
	At       time.Time `json:"at"`
	Order    string    `json:"order"`
	Off      arm       `json:"off"`
	On       arm       `json:"on"`
	// Shares of one core that the sampler itself used; nil where it was not measured.
	OwnCPU     *float64 `json:"ownCpu,omitempty"`     // at Settings.Hz
	OwnCPU10Hz *float64 `json:"ownCpu10Hz,omitempty"` // during the warm-up
}

// whole says whether the block compares equal work.
func (b block) whole() bool {
	return b.Off.Lost == 0 && b.On.Lost == 0 && b.Off.Completed > 0 && b.On.Completed > 0 && b.Off.CPUNs > 0 &&
		b.On.CPUNs > 0
}

// add takes a second of load in.
func (a *arm) add(w load.Window) error {
	response, err := load.DecodeHistogram(w.Response)
	if err != nil {
		return err
	}
	lag, err := load.DecodeHistogram(w.Lag)
	if err != nil {
		return err
	}
	if a.response == nil {
		a.response, a.lag = response, lag
	} else {
		a.response.Merge(response)
		a.lag.Merge(lag)
	}
	a.Completed += w.Completed
	a.Lost += w.Intended - w.Completed
	return nil
}

func (a *arm) close() {
	if s := load.Summarize(a.response); s != nil {
		a.P50Ns, a.P99Ns = s.P50, s.P99
	}
	if s := load.Summarize(a.lag); s != nil {
		a.LagP99Ns = s.P99
	}
}

// readBlocks gives those of the same settings, row by row.
func readBlocks(path string, s settings) (map[row][]block, error) {
	done := map[row][]block{}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	others := 0
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var b block
		if err := json.Unmarshal(lines.Bytes(), &b); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w; remove the line to go on", path, n, err)
		}
		if b.Settings != s {
			others++
			continue
		}
		done[b.row] = append(done[b.row], b)
	}
	if others > 0 {
		fmt.Fprintf(os.Stderr, "%s: %d blocks of other settings are left out\n", path, others)
	}
	return done, lines.Err()
}

// store appends a block for good.
func (b *bench) store(one block) error {
	if err := os.MkdirAll(filepath.Dir(b.out), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(b.out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	text, err := json.Marshal(one)
	if err == nil {
		_, err = f.Write(append(text, '\n'))
	}
	return errors.Join(err, f.Close())
}
