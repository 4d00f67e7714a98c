package sample

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// Pressure reads how long some task of the host waited for a CPU (PSI). Kernels
// without it leave the column missing.
type Pressure struct{ root string }

// NewPressure reads root/proc/pressure.
func NewPressure(root string) *Pressure { return &Pressure{root} }

// Name of the source.
func (p *Pressure) Name() string { return "CPU pressure" }

// Columns of the source.
func (p *Pressure) Columns() []string { return []string{"host.psi_cpu_some_s"} }

// Read fills one value per column. The averages of the file are not used: a
// counter can be turned into any average later.
func (p *Pressure) Read(dst []float64) error {
	path := filepath.Join(p.root, "proc", "pressure", "cpu")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	some, _ := line(text, "some ")
	for _, field := range bytes.Fields(some) {
		if value, ok := bytes.CutPrefix(field, []byte("total=")); ok {
			var micros uint64
			if err := number(value, &micros); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			dst[0] = float64(micros) / 1e6
			return nil
		}
	}
	return fmt.Errorf("%s: no total of some: %w", path, errForm)
}
