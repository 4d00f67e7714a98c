package sample

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Thermal reads the clock that the cores run at, the hottest of the machine's
// sensors, and how often heat made the CPU slow down. Virtual machines show few of
// them: what cannot be read is missing.
type Thermal struct{ root string }

// NewThermal reads root/proc and root/sys.
func NewThermal(root string) *Thermal { return &Thermal{root} }

// Name of the source.
func (t *Thermal) Name() string { return "clock and temperature" }

// Columns of the source.
func (t *Thermal) Columns() []string {
	return []string{"host.cpu_mhz", "host.temperature_c", "host.thermal_throttles"}
}

var errNoSensor = errors.New("no such sensor here")

// Read fills one value per column.
func (t *Thermal) Read(dst []float64) error {
	if khz := t.numbers("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq"); len(khz) > 0 {
		dst[0] = total(khz) / float64(len(khz)) / 1000
	}
	if milli := t.numbers("sys/class/thermal/thermal_zone*/temp"); len(milli) > 0 {
		dst[1] = slices.Max(milli) / 1000
	}
	if counts := t.numbers("sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count"); len(counts) > 0 {
		dst[2] = total(counts)
	}
	if slices.ContainsFunc(dst, math.IsNaN) {
		return partial(errNoSensor)
	}
	return nil
}

func total(values []float64) float64 {
	all := 0.0
	for _, v := range values {
		all += v
	}
	return all
}

func (t *Thermal) numbers(pattern string) []float64 {
	paths, err := filepath.Glob(filepath.Join(t.root, pattern))
	if err != nil {
		return nil
	}
	var out []float64
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}
