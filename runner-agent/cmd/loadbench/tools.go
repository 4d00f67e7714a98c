package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"loomboard.dev/agent/internal/load"
	"loomboard.dev/agent/internal/truthserver"
)

// The load core and the server's.
const (
	loadCPU   = 1
	serverCPU = 0
	workerCap = 256
)

// run is what one tool did once. Times in µs; a missing key was not measured.
type run map[string]float64

// tool attacks a target for a while.
type tool struct {
	name   string
	class  load.SchedulingClass // that it runs in
	attack func(ctx context.Context, url string, d time.Duration) (run, error)
}

// startTruth starts the truth server in a process of its own.
func startTruth(ctx context.Context, args ...string) (*truthserver.Process, error) {
	return startServer(ctx, nil, args...)
}

// startPinned starts it on the server's core.
func startPinned(ctx context.Context, args ...string) (*truthserver.Process, error) {
	return startServer(ctx, []string{"taskset", "-c", strconv.Itoa(serverCPU)}, args...)
}

func startServer(ctx context.Context, prefix []string, args ...string) (*truthserver.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return truthserver.Start(ctx, self, prefix, args...)
}

// truthOf asks the truth server what it did.
func truthOf(url string) (t truthserver.Truth, err error) {
	resp, err := http.Get(url + "truth")
	if err != nil {
		return t, err
	}
	defer resp.Body.Close()
	return t, json.NewDecoder(resp.Body).Decode(&t)
}

// ours runs a step in the load process, pinned. The CPU it used is all of that process.
func ours(name string, spec load.Spec) tool {
	asked := spec.WithDefaults().Scheduling
	return tool{name, asked, func(ctx context.Context, url string, d time.Duration) (run, error) {
		spec := spec
		spec.Target.URL, spec.Duration, spec.CPUs, spec.Awake = url, d, []int{loadCPU}, true
		before := childrenCPU()
		step, err := load.Run(ctx, spec, nil)
		if err != nil {
			return nil, err
		}
		used := childrenCPU() - before
		out := run{
			"perSecond": step.Throughput,
			"cpuMicros": micros(used) / float64(step.Counts.Sent),
			"errors":    float64(step.Counts.Failed),
		}
		for kind, s := range map[string]*load.Summary{"lag": step.Summary.Lag, "service": step.Summary.Service,
			"response": step.Summary.Response} {
			if s != nil {
				out[kind+"P50"], out[kind+"P90"], out[kind+"P99"], out[kind+
					"P999"] = float64(s.P50)/1e3, float64(s.P90)/1e3, float64(s.P99)/1e3, float64(s.P999)/1e3
			}
		}
		out["goroutines"], out["memoryMiB"] = float64(step.Health.PeakGoroutines), float64(step.Health.PeakMemory)/(1<<20)
		if step.Health.Scheduling != asked {
			return nil, fmt.Errorf("%s: %s scheduling was asked for, %s granted; needs CAP_SYS_NICE", name, asked,
				step.Health.Scheduling)
		}
		return out, nil
	}}
}

// command runs a tool on the load core, as an ordinary process, and reads its output.
func command(name string, args func(url string, d time.Duration) []string, stdin func(url string) string,
	read func(out string, r run) error) tool {
	return tool{name, load.Ordinary, func(ctx context.Context, url string, d time.Duration) (run, error) {
		line := append([]string{"-c", strconv.Itoa(loadCPU)}, args(url, d)...)
		cmd := exec.CommandContext(ctx, "taskset", line...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		if stdin != nil {
			cmd.Stdin = strings.NewReader(stdin(url))
		}
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %s", name, err, complaints.String())
		}
		r := run{}
		if err := read(string(out), r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		usage := cmd.ProcessState
		r["perSecond"] = r["count"] / d.Seconds()
		r["cpuMicros"] = micros(usage.UserTime()+usage.SystemTime()) / r["count"]
		return r, nil
	}}
}

var wrkCount = regexp.MustCompile(`(\d+) requests in`)

func wrk(path string, connections int) tool {
	return command("wrk", func(url string, d time.Duration) []string {
		return []string{path, "-t1", "-c" + strconv.Itoa(connections), "-d" + strconv.Itoa(int(d.Seconds())), url}
	}, nil, func(out string, r run) (err error) {
		found := wrkCount.FindStringSubmatch(out)
		if found == nil {
			return fmt.Errorf("says %q", out)
		}
		r["count"], err = strconv.ParseFloat(found[1], 64)
		return err
	})
}

func oha(path string, args ...string) tool {
	return command("oha", func(url string, d time.Duration) []string {
		return append(append([]string{path, "--no-tui", "--output-format", "json", "-z", d.String()}, args...), url)
	}, nil, func(out string, r run) error {
		var report struct {
			Latency map[string]float64 `json:"latencyPercentiles"` // s
			Codes   map[string]float64 `json:"statusCodeDistribution"`
		}
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			return err
		}
		for _, n := range report.Codes {
			r["count"] += n
		}
		r["responseP50"], r["responseP99"], r["responseP999"] = 1e6*report.Latency["p50"], 1e6*report.Latency["p99"], 1e6*report.Latency["p99.9"]
		return nil
	})
}

// vegetaCommand is the command as its README uses it, with the same connections as ours.
func vegetaCommand(path string, rate float64, workers int) tool {
	results := filepath.Join(filepath.Dir(path), "results.bin")
	n := strconv.Itoa(workers)
	return command("vegeta command", func(_ string, d time.Duration) []string {
		return []string{path, "attack", "-rate", strconv.FormatFloat(rate, 'f', -1, 64), "-duration", d.String(),
			"-keepalive", "-insecure",
			"-workers", n, "-max-workers", n, "-connections", n, "-max-connections", n, "-redirects", "-1",
			"-output", results}
	}, func(url string) string { return "GET " + url + "\n" }, func(_ string, r run) error {
		csv, err := exec.Command(path, "encode", "-to", "csv", results).Output()
		if err != nil {
			return err
		}
		return readVegeta(csv, rate, r)
	})
}

// findTool is a tool of Debian's or one named by an environment variable; empty: not there.
func findTool(name string) string {
	if path := os.Getenv("LOADBENCH_" + strings.ToUpper(name)); path != "" {
		return path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

func childrenCPU() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// busy reads how long a process has used a CPU, in clock ticks of 10 ms.
func busy(pid int) time.Duration {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

func micros(d time.Duration) float64 { return float64(d) / 1e3 }

// awake keeps the cores of this host from sleeping while all tools are compared.
func awake() (io.Closer, error) {
	file, err := os.OpenFile("/dev/cpu_dma_latency", os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	_, err = file.Write([]byte{0, 0, 0, 0})
	return file, err
}
