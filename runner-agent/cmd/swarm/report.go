package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"loomboard.dev/agent/internal/simulated"
)

// report is what the swarm found. Memory is MiB.
type report struct {
	Agents, Replicas, Cores int
	Heap                    string // of each replica at most
	Raised                  []string
	RegisteringSeconds      float64
	Seconds                 float64
	BatchesPerSecond        float64
	Calls                   map[simulated.Call]times
	Pages                   map[string]pageTimes
	ServiceRSS, ServiceHeap []float64 // the most of each replica
	PostgresMemory          float64   // the most of all its processes, what they share counted once
	Sealed, Stored          int
	Lost, Twice             int
	Runs                    map[string]int
	Wrong                   []string
}

func (r *report) err() error {
	var all []error
	for _, wrong := range r.Wrong {
		all = append(all, errors.New(wrong))
	}
	for _, kind := range pageKinds {
		all = append(all, r.Pages[kind].err(kind))
	}
	return errors.Join(all...)
}

const lookEvery = 5 * time.Second

// watch reads memory until ctx ends.
func (r *report) watch(ctx context.Context, s *swarm) {
	r.ServiceRSS, r.ServiceHeap = make([]float64, len(s.site.Replicas)), make([]float64, len(s.site.Replicas))
	for ctx.Err() == nil {
		for i, replica := range s.site.Replicas {
			if replica.Running() {
				r.ServiceRSS[i] = max(r.ServiceRSS[i], kibOf(replica.Pid(), "status", "VmRSS:")/1024)
				r.ServiceHeap[i] = max(r.ServiceHeap[i], heapOf(replica.Client.Base))
			}
		}
		total := kibOf(s.site.Database.Pid(), "smaps_rollup", "Pss:")
		for _, child := range childrenOf(s.site.Database.Pid()) {
			total += kibOf(child, "smaps_rollup", "Pss:")
		}
		r.PostgresMemory = max(r.PostgresMemory, total/1024)
		pause(ctx, lookEvery)
	}
}

// kibOf reads a field of a file of /proc; 0: it cannot be read.
func kibOf(pid int, file, field string) float64 {
	f, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), file))
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == field {
			kib, _ := strconv.ParseFloat(words[1], 64)
			return kib
		}
	}
	return 0
}

func childrenOf(pid int) (all []int) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil
	}
	for _, list := range lists {
		text, _ := os.ReadFile(list) // of a thread that is gone: none
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

var heapUsed = regexp.MustCompile(`(?m)^jvm_memory_used_bytes\{[^}]*area="heap"[^}]*\} (\S+)$`)

// heapOf is what a replica says in its figures.
func heapOf(base string) float64 {
	request, err := http.NewRequest(http.MethodGet, base+"/metrics", nil)
	if err != nil {
		return 0
	}
	request.Header.Set("Authorization", "Bearer "+metricsToken)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body) // cut off: less is found
	sum := 0.0
	for _, found := range heapUsed.FindAllSubmatch(text, -1) {
		bytes, _ := strconv.ParseFloat(string(found[1]), 64)
		sum += bytes
	}
	return sum / (1 << 20)
}

func (r *report) print() {
	fmt.Printf("\n%d simulated agents on %d cores, which they share with %d replicas of the service (heap %s at most) and one PostgreSQL.\n",
		r.Agents, r.Cores, r.Replicas, r.Heap)
	fmt.Printf("Raised, since all machines are one workspace's and register from one address: %s.\n", strings.Join(r.Raised, ", "))
	fmt.Println("All other limits as by default; those of calls by a key were on (20 a second of each, 20 000 at once).")
	if r.Replicas > 1 {
		fmt.Println("Replicas were asked in turn by a proxy of this command; the last was killed in the middle.")
	}
	fmt.Printf("Machines registered: %.0f s. Agents' spools lay in memory: on their own machines they have disks of their own.\n", r.RegisteringSeconds)
	fmt.Printf("\nover %.0f s: %.1f batches/s stored\n", r.Seconds, r.BatchesPerSecond)
	for _, line := range []struct {
		name string
		call simulated.Call
	}{{"heartbeats", simulated.Heartbeat}, {"acknowledgements", simulated.Upload}, {"runs' ends", simulated.Complete}} {
		fmt.Printf("  %-17s %v\n", line.name, r.Calls[line.call])
	}
	claims := r.Calls[simulated.Claim]
	fmt.Printf("  %-17s %6d (they wait for work)\n", "claims", claims.Count)
	for i := range r.ServiceRSS {
		fmt.Printf("  replica %d: %.0f MiB of memory at most, heap %.0f MiB at most\n", i+1, r.ServiceRSS[i], r.ServiceHeap[i])
	}
	fmt.Printf("  PostgreSQL: %.0f MiB at most, what its processes share counted once\n", r.PostgresMemory)
	fmt.Printf("  pages, %d a second in all, ms by the server's access log and from outside:\n", pagesPerSecond)
	for _, kind := range pageKinds {
		p := r.Pages[kind]
		fmt.Printf("    %-18s %5d   server p50 %4.0f p99 %5.0f   client p50 %6.1f p99 %7.1f\n", kind, p.Client.Count, p.Server.P50,
			p.Server.P99, p.Client.P50, p.Client.P99)
		if failures := p.failures(); failures != "" {
			fmt.Printf("    %-18s failed: %s\n", "", failures)
		}
	}
	fmt.Printf("at the end: %d batches sealed, %d stored; lost %d, twice %d; errors after retries: %d; runs: %v\n",
		r.Sealed, r.Stored, r.Lost, r.Twice, len(r.Wrong), r.Runs)
}

func (r *report) write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println("JSON:", path)
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
