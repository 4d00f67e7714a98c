package server

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	methodForm = regexp.MustCompile(`^[\p{L}_$][\p{L}\d_$]*(?:\.[\p{L}_$][\p{L}\d_$]*)+$`)
	slugForm   = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	models     = []string{"platform-threads", "virtual-threads", "event-loop"}
	methods    = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}
)

// smallestHeapMiB keeps out a heap no framework starts in, and a heap in bytes.
const (
	smallestHeapMiB = 16
	largestHeapMiB  = 1 << 20
)

// check adds everything that a strict decoder cannot see.
func (s Spec) check(p *Problems) {
	if s.Schema != SchemaServer {
		p.addf("schema: %q, must be %q", s.Schema, SchemaServer)
	}
	if !slugForm.MatchString(s.Name) {
		p.addf("name: %q, must be lower-case words joined by hyphens", s.Name)
	}
	for _, f := range [][2]string{{"title", s.Title}, {"framework", s.Framework}, {"build", s.Build}} {
		if strings.TrimSpace(f[1]) == "" {
			p.addf("%s: missing", f[0])
		}
	}
	if s.Java < 21 {
		p.addf("java: %d, must be the lowest feature release it runs on, 21 or more", s.Java)
	}
	if s.Artifact == "" || !filepath.IsLocal(s.Artifact) {
		p.addf("artifact: %q, must be a path inside the server's folder", s.Artifact)
	}
	s.checkCommand(p)
	if joined := strings.Join(s.Database, " "); joined != "" && !strings.Contains(joined, "{database}") {
		p.addf("database: {database} is missing")
	}
	s.Readiness.check(p, "readiness")
	s.GC.check(p, "gc")
	s.JVM.check(p)
	s.checkVariants(p)
	if len(s.Workloads) == 0 {
		p.addf("workloads: at least one is needed")
	}
	for workload, method := range s.Methods {
		if !slices.Contains(s.Workloads, workload) {
			p.addf("methods: %q is not one of the server's workloads", workload)
		}
		if !methodForm.MatchString(method) {
			p.addf("methods.%s: %q, must be a class and a method, such as app.Work.io", workload, method)
		}
	}
}

func (s Spec) checkCommand(p *Problems) {
	joined := strings.Join(s.Command, " ")
	for _, needed := range []string{"{artifact}", "{port}"} {
		if !strings.Contains(joined, needed) {
			p.addf("command: %s is missing", needed)
		}
	}
}

func (e Endpoint) check(p *Problems, field string) {
	if !slices.Contains(methods, e.Method) {
		p.addf("%s.method: %q, must be one of %s", field, e.Method, strings.Join(methods, " "))
	}
	if !strings.HasPrefix(e.Path, "/") {
		p.addf("%s.path: %q, must start with /", field, e.Path)
	}
}

func (j JVM) check(p *Problems) {
	if _, err := CollectorFlags(j.Collector, 21); err != nil {
		p.addf("jvm.collector: %s", err)
	}
	if j.HeapMiB < smallestHeapMiB || j.HeapMiB > largestHeapMiB {
		p.addf("jvm.heapMiB: %d, must be %d to %d", j.HeapMiB, smallestHeapMiB, largestHeapMiB)
	}
	checkManaged(p, "jvm.options", j.Options)
}

func (s Spec) checkVariants(p *Problems) {
	if len(s.Variants) == 0 {
		p.addf("variants: at least one is needed")
	}
	seen := map[string]bool{}
	for _, v := range s.Variants {
		if !slugForm.MatchString(v.Name) {
			p.addf("variants: name %q, must be lower-case words joined by hyphens", v.Name)
		}
		if seen[v.Name] {
			p.addf("variants: %q is there twice", v.Name)
		}
		seen[v.Name] = true
		if !slices.Contains(models, v.ConcurrencyModel) {
			p.addf("variant %s: concurrencyModel %q, must be one of %s", v.Name, v.ConcurrencyModel,
				strings.Join(models, ", "))
		}
		checkManaged(p, "variant "+v.Name+": jvmOptions", v.JVMOptions)
	}
}

func checkManaged(p *Problems, field string, options []string) {
	for _, o := range options {
		if why := managed(o); why != "" {
			p.addf("%s: %q %s", field, o, why)
		}
	}
}
