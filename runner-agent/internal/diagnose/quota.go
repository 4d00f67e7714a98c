package diagnose

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"loomboard.dev/agent/internal/limits"
)

// quota watches one cgroup that limits the server's CPU time. The kernel adds up
// how long it was throttled when it lets it run again, once per core it would have
// run on; so a slice ends when the sum grows and began where the group last ran.
type quota struct {
	stat     *reread
	usage    *reread // nil: it is in stat, or nowhere
	field    string  // of stat, with its unit
	unit     int64   // ns
	period   int64   // ns
	throttle int64   // ns, at the last reading
	used     int64   // ns; −1: not known
	ran      int64   // when used was last seen to grow; 0: never
	spans    []Span
	failed   error
}

func (q *quota) read(now int64) {
	if q.failed != nil || len(q.spans) >= mostSlices {
		return
	}
	throttled, used, err := q.values()
	if err != nil {
		q.failed = fmt.Errorf("throttled time: %w", limits.Pathless(err))
		return
	}
	if grown := throttled - q.throttle; grown > 0 && q.throttle >= 0 {
		from := now - min(grown, q.period)
		if q.ran > from {
			from = q.ran
		}
		q.spans = append(q.spans, Span{from, now})
	}
	if used > q.used {
		q.ran = now
	}
	q.throttle, q.used = throttled, used
}

func (q *quota) values() (throttled, used int64, err error) {
	text, err := q.stat.text()
	if err != nil {
		return 0, 0, err
	}
	n, ok := field(text, q.field)
	if !ok {
		return 0, 0, fmt.Errorf("cpu.stat has no %s", q.field)
	}
	used = -1
	if q.usage != nil {
		if text, err := q.usage.text(); err == nil {
			if v, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil {
				used = v
			}
		}
	} else if v, ok := field(text, "usage_usec"); ok {
		used = v * int64(time.Microsecond)
	}
	return n * q.unit, used, nil
}

// field reads "name value" from a file of such lines.
func field(text []byte, name string) (int64, bool) {
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) == 2 && string(f[0]) == name {
			v, err := strconv.ParseInt(string(f[1]), 10, 64)
			return v, err == nil
		}
	}
	return 0, false
}

// quotas are the groups between a process and the root that have a quota: none
// means that it cannot be throttled.
func quotas(root string, pid int) ([]*quota, error) {
	text, err := os.ReadFile(filepath.Join(root, "proc", strconv.Itoa(pid), "cgroup"))
	if err != nil {
		return nil, fmt.Errorf("throttled time: %w", err)
	}
	var out []*quota
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		controllers := strings.Split(parts[1], ",")
		for _, mount := range mounts(root, controllers) {
			found, err := upwards(mount, parts[2], parts[1] == "")
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

// mounts are where the hierarchy of a line of /proc/PID/cgroup may be mounted.
func mounts(root string, controllers []string) []string {
	base := filepath.Join(root, "sys/fs/cgroup")
	if controllers[0] == "" { // version 2
		var out []string
		for _, dir := range []string{base, filepath.Join(base, "unified")} {
			if _, err := os.Stat(filepath.Join(dir, "cgroup.procs")); err == nil {
				out = append(out, dir)
			}
		}
		return out
	}
	for _, c := range controllers {
		if c == "cpu" {
			for _, dir := range []string{strings.Join(controllers, ","), "cpu"} {
				if _, err := os.Stat(filepath.Join(base, dir)); err == nil {
					return []string{filepath.Join(base, dir)}
				}
			}
		}
	}
	return nil
}

// upwards looks at a group and all above it.
func upwards(mount, group string, unified bool) ([]*quota, error) {
	var out []*quota
	for at := path.Clean("/" + group); ; at = path.Dir(at) {
		dir := filepath.Join(mount, at)
		if period, limited := limit(dir, unified); limited {
			q, err := openQuota(dir, period, unified)
			if err != nil {
				return nil, err
			}
			out = append(out, q)
		}
		if at == "/" {
			return out, nil
		}
	}
}

// limit reads the period of a group's quota; false when it has none.
func limit(dir string, unified bool) (period int64, limited bool) {
	micros := func(name string) int64 {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return -1
		}
		v, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err != nil {
			return -1
		}
		return v
	}
	if !unified {
		period = micros("cpu.cfs_period_us")
		return period * int64(time.Microsecond), micros("cpu.cfs_quota_us") > 0 && period > 0
	}
	text, err := os.ReadFile(filepath.Join(dir, "cpu.max"))
	f := strings.Fields(string(text))
	if err != nil || len(f) != 2 || f[0] == "max" {
		return 0, false
	}
	period, err = strconv.ParseInt(f[1], 10, 64)
	return period * int64(time.Microsecond), err == nil
}

func openQuota(dir string, period int64, unified bool) (*quota, error) {
	q := &quota{
		field:    "throttled_usec",
		unit:     int64(time.Microsecond),
		period:   period,
		throttle: -1,
		used:     -1,
		spans:    []Span{},
	}
	if !unified {
		q.field, q.unit = "throttled_time", 1
		if usage, err := openReread(filepath.Join(dir, "cpuacct.usage")); err == nil {
			q.usage = usage
		}
	}
	var err error
	if q.stat, err = openReread(filepath.Join(dir, "cpu.stat")); err != nil {
		return nil, fmt.Errorf("throttled time: %w", limits.Pathless(err))
	}
	return q, nil
}
