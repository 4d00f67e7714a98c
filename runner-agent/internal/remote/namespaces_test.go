package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/testbed"
	"loomboard.dev/agent/internal/trial"
)

// Addresses of the two hosts; the names carry this process's id, so that two runs of
// this test on one machine do not meet.
const (
	loadAddress   = "10.213.77.1"
	serverAddress = "10.213.77.2"
	loadListen    = loadAddress + ":7070"
)

func ip(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// twoHosts are two network namespaces with a cable between them.
func twoHosts(t *testing.T) (loadHost, serverHost string) {
	t.Helper()
	_, err := exec.LookPath("ip")
	testbed.Need(t, err, "install iproute2")
	id := strconv.Itoa(os.Getpid())
	loadHost, serverHost = "lb-load-"+id, "lb-server-"+id
	for _, ns := range []string{loadHost, serverHost} {
		if out, err := exec.Command("ip", "netns", "add", ns).CombinedOutput(); err != nil {
			testbed.NeedPrivilege(t, fmt.Errorf("no network namespace could be made: %w: %s", err, out), "run this test as root")
		}
		t.Cleanup(func() { ip(t, "netns", "del", ns) })
		ip(t, "-n", ns, "link", "set", "lo", "up")
	}
	ip(t, "-n", loadHost, "link", "add", "lb0", "type", "veth", "peer", "name", "lb1", "netns", serverHost)
	for ns, a := range map[string][2]string{loadHost: {"lb0", loadAddress}, serverHost: {"lb1", serverAddress}} {
		ip(t, "-n", ns, "addr", "add", a[1]+"/24", "dev", a[0])
		ip(t, "-n", ns, "link", "set", a[0], "up")
	}
	return loadHost, serverHost
}

// on is this test's binary as a host in a namespace.
func on(ctx context.Context, ns, role, dir string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "ip", "netns", "exec", ns, os.Args[0])
	cmd.Env = append(os.Environ(), "LOOMBOARD_TEST_HOST="+role, "LOOMBOARD_TEST_DIR="+dir)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// lines starts a host and gives what it prints.
func lines(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(out)
}

func expect(t *testing.T, in *bufio.Reader, want string) {
	t.Helper()
	if line, err := in.ReadString('\n'); err != nil || line != want+"\n" {
		t.Fatalf("a host says %q, %v; want %q", line, err, want)
	}
}

// seen is what the server's host has of the trial.
type seen struct {
	Result    trial.Result
	Offered   int64
	Completed int64
	Placement string
	Noise     map[string]*float64
	Command   []string
	Reason    string // as stored
}

// twoHostTrial runs a trial between two hosts; measuring is called when that begins.
func twoHostTrial(t *testing.T, measuring func(loadHost *exec.Cmd)) seen {
	t.Helper()
	loadNS, serverNS := twoHosts(t)
	m, err := trial.ReadMachine(t.Context(), "../trial/testdata", true, jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(m.JDKs.Builds))
	testbed.Jar(t, m.JDKs.Builds[0].Home, "../trial/testdata/faulty/Faulty.java")
	ctx, stop := context.WithCancel(t.Context())
	load := on(ctx, loadNS, "load", "")
	defer func() {
		stop()
		_ = load.Wait() // interrupted, or killed by the test
		nobody(t, loadNS)
	}()
	expect(t, lines(t, load), "listening")
	server := on(t.Context(), serverNS, "server", t.TempDir())
	out := lines(t, server)
	expect(t, out, "measuring")
	measuring(load)
	var s seen
	err = json.NewDecoder(out).Decode(&s)
	if err := errors.Join(err, server.Wait()); err != nil {
		t.Fatal(err)
	}
	nobody(t, serverNS)
	return s
}

// nobody waits until no process is left on a host.
func nobody(t *testing.T, ns string) {
	t.Helper()
	testbed.Eventually(t, func() error {
		out, err := exec.Command("ip", "netns", "pids", ns).Output()
		if err == nil && len(out) > 0 {
			err = fmt.Errorf("on %s run %s", ns, out)
		}
		return err
	})
}

func TestTrial_with_load_from_another_host(t *testing.T) {
	s := twoHostTrial(t, func(*exec.Cmd) {})
	if s.Result.Outcome != api.Done || s.Offered != 60 || s.Completed == 0 || s.Placement != "two-hosts" {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(strings.Join(s.Command, " "), serverAddress) {
		t.Errorf("the server listened elsewhere: %v", s.Command)
	}
	for _, name := range []string{"loadhost.clock_offset_ms", "loadhost.clock_uncertainty_ms", "loadhost.rtt_ms"} {
		if s.Noise[name] == nil {
			t.Errorf("%s is not stored: %v", name, s.Noise)
		}
	}
}

func TestTrial_whose_load_host_dies_ends_with_a_reason(t *testing.T) {
	s := twoHostTrial(t, func(loadHost *exec.Cmd) {
		if err := loadHost.Process.Kill(); err != nil {
			t.Error(err)
		}
	})
	if s.Result.Outcome != api.Failed || !strings.Contains(s.Reason, "load host https://"+loadListen) {
		t.Errorf("%+v", s)
	}
}

// host is the whole program of one of the hosts; the result is the exit code.
func host(role string) int {
	err := map[string]func() error{"load": hostLoad, "server": hostServer}[role]()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func hostLoad() error {
	l, err := net.Listen("tcp", loadListen)
	if err != nil {
		return err
	}
	fmt.Println("listening")
	s := &Server{Secret: Secret(secret), Targets: []netip.Prefix{netip.MustParsePrefix(serverAddress + "/32")}, Log: slog.New(slog.DiscardHandler)}
	return s.Serve(context.Background(), l) // until it is interrupted
}

func hostServer() error {
	loadHost, err := NewClient("https://"+loadListen, serverAddress, Secret(secret))
	if err != nil {
		return err
	}
	dir := os.Getenv("LOOMBOARD_TEST_DIR")
	m, err := trial.ReadMachine(context.Background(), "../trial/testdata", true, jdk.Options{})
	if err != nil {
		return err
	}
	c := trial.Config{AgentVersion: "test", Machine: m, Dir: filepath.Join(dir, "trials"), JournalDir: filepath.Join(dir, "journal"),
		Log: slog.New(slog.DiscardHandler), LoadHost: loadHost}
	j := trial.Job{PlannedTrial: api.PlannedTrial{TrialID: "trl_aaaaaaaaaaaaaaaaaaaa", Kind: api.Scored, Ordinal: 1, Server: "faulty", Variant: "sound",
		JDK: m.JDKs.Builds[0].Slug, Workload: "echo", WorkloadVersion: 1, Params: map[string]any{}, Collector: "Serial",
		Load: api.Load{Profile: api.Constant, Rate: 20, Seconds: 3}},
		Fencing: 1, Phases: api.Phases{Warmup: []api.Warmup{{Seconds: 1}}}, MaxWorkers: 16, TimeoutSeconds: 10}
	record := &trial.Record{}
	result, err := trial.Run(context.Background(), c, j, record, func(p api.Phase) {
		if p == api.PhaseMeasure {
			fmt.Println("measuring")
		}
	})
	if err != nil {
		return err
	}
	s := seen{Result: result, Placement: m.Facts.Placement}
	if record.End != nil {
		s.Noise, s.Reason = record.End.Noise, reason(record.End.Reason)
	}
	if record.Start != nil {
		s.Command = record.Start.CommandLine
	}
	for _, step := range record.Steps {
		s.Offered, s.Completed = s.Offered+step.Offered, s.Completed+step.Completed
	}
	return json.NewEncoder(os.Stdout).Encode(s)
}

func reason(stored *string) string {
	if stored == nil {
		return ""
	}
	return *stored
}
