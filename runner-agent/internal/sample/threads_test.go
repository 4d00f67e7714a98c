package sample

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The names are those of running JVMs: 21, 25 and 28-ea, each collector.
func TestClassOf_knowsTheThreadsOfTheJVM(t *testing.T) {
	for class, names := range map[ThreadClass][]string{
		JITThreads: {"C1 CompilerThre", "C2 CompilerThre", "C1 Comp..hread0", "C2 Comp..hread1"},
		GCThreads: {"GC Thread#0", "G1 Main Marker", "G1 Conc#0", "G1 Refine#0", "G1 Service", "G1 Refi..ontrol",
			"Shenandoah GC T", "Shenandoah Cont", "ShenWorker#0", "ShenControl", "ZWorkerYoung#0", "ZDriverMinor",
			"ZStat", "ZUncommitter#0", "XWorker#0", "XDirector", "RuntimeWorker#0"},
		VMThreads: {"VM Thread", "VM Periodic Tas", "VM Peri..Thread", "Monitor Deflati", "Monitor..Thread",
			"Signal Dispatch", "Signal ..atcher", "Service Thread", "Notification Th", "Notific..Thread",
			"Reference Handl", "Referen..andler", "Finalizer", "Common-Cleaner", "VirtualThread-u", "Virtual..locker"},
		AppThreads: {"java", "main", "ForkJoinPool-1-", "ForkJoi..rker-1", "http-nio-8080-e", "reactor-http-ep", "Zookeeper", "G1"},
	} {
		for _, name := range names {
			if got := classOf(name); got != class {
				t.Errorf("%q is of class %d, must be of %d", name, got, class)
			}
		}
	}
}

// A thread that began in between counts whole, also under the number of another; what
// ended threads used is the process's rest.
func TestThreads_sinceAddsUpToTheProcess(t *testing.T) {
	use := func(c ThreadClass, ms int64) threadUse { return threadUse{c, ms * 1e6} }
	before := Threads{total: 10_000e6, used: map[int]threadUse{1: use(AppThreads, 4000), 2: use(JITThreads, 3000),
		3: use(VMThreads, 100), 4: use(AppThreads, 900), 5: use(AppThreads, 800)}}
	after := Threads{total: 16_000e6, used: map[int]threadUse{1: use(AppThreads, 7000), 2: use(JITThreads, 3500),
		3: use(VMThreads, 150), 5: use(GCThreads, 450), 6: use(AppThreads, 1000)}}
	got := after.Since(before)
	want := ThreadSeconds{App: 4, JIT: 0.5, GC: 0.45, VM: 0.05, Other: 1}
	if math.Abs(got.App-want.App)+math.Abs(got.JIT-want.JIT)+math.Abs(got.GC-want.GC)+
		math.Abs(got.VM-want.VM)+math.Abs(got.Other-want.Other) > 1e-9 {
		t.Errorf("%+v, must be %+v", got, want)
	}
	after.total = 11_000e6 // less than its threads: they went on while they were read
	if got := after.Since(before); got.Other != 0 {
		t.Errorf("%v s of no thread, must be none", got.Other)
	}
}

func TestReadThread_refusesAnUnexpectedForm(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"comm": "C2 CompilerThre\n", "schedstat": "no number here\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := readThread(dir); err == nil {
		t.Error("a time that is no number was taken")
	}
	if err := os.WriteFile(filepath.Join(dir, "schedstat"), []byte("5000000 3 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := readThread(dir); err != nil || got != (threadUse{JITThreads, 5_000_000}) {
		t.Errorf("%+v, %v", got, err)
	}
}
