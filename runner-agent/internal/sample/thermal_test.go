package sample

import (
	"math"
	"path/filepath"
	"testing"
	"time"
)

func TestThermal_reads_what_is_there(t *testing.T) {
	root := t.TempDir()
	for path, content := range map[string]string{
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq":             "2100000\n",
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq":             "2300000\n",
		"sys/class/thermal/thermal_zone0/temp":                             "41000\n",
		"sys/class/thermal/thermal_zone1/temp":                             "67500\n",
		"sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "3\n",
		"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count": "4\n",
	} {
		put(t, filepath.Join(root, path), content)
	}
	row := read(t, NewThermal(root))
	if row["host.cpu_mhz"] != 2200 || row["host.temperature_c"] != 67.5 || row["host.thermal_throttles"] != 7 {
		t.Errorf("%v", row)
	}
	for name, v := range read(t, NewThermal(t.TempDir())) {
		if !math.IsNaN(v) {
			t.Errorf("%s out of nothing: %v", name, v)
		}
	}
}

func TestThrottle_is_missing_without_a_group(t *testing.T) {
	known := true
	s := NewThrottle(HostThrottled, func() (time.Duration, bool) { return 1500 * time.Millisecond, known })
	if row := read(t, s); row[HostThrottled] != 1.5 {
		t.Errorf("%v", row)
	}
	known = false
	if err := s.Read([]float64{Missing}); err == nil {
		t.Error("a group that cannot be read is no zero")
	}
}
