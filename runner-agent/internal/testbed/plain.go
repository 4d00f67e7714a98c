package testbed

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// PlainServer is the first argument by which a test's own program becomes a server without a JVM: TestMain then ends with
// ServePlainly. So no test needs another program.
const PlainServer = "serve-plainly"

// ServePlainly answers at an address until it gets a signal; "by-environment" is that of the variable PORT. With the word
// "through-a-child" a child answers, and this process only waits for it; with "everywhere" each path has the same answer; "over-tls" and
// "by-http2" are how it is spoken to, the second without TLS and by nothing else.
func ServePlainly(args []string) (code int) {
	if args[0] == "by-environment" {
		args[0] = "127.0.0.1:" + os.Getenv("PORT")
	}
	if len(args) > 1 && args[1] == "through-a-child" {
		child := exec.Command(os.Args[0], PlainServer, args[0])
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		_ = child.Run() // it gets the signal, too
		return 0
	}
	handler := plainly()
	if len(args) > 1 && args[1] == "everywhere" {
		handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT)
	listener, err := net.Listen("tcp", args[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	failed := make(chan error, 1)
	go func() { failed <- serve(listener, handler, args[1:]) }()
	fmt.Println("listening at", args[0])
	select {
	case s := <-told:
		fmt.Println("ended by", s)
		return 0
	case err := <-failed:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
}

func serve(listener net.Listener, handler http.Handler, how []string) error {
	server := &http.Server{Handler: handler}
	switch {
	case slices.Contains(how, "over-tls"):
		secure := httptest.NewUnstartedServer(nil) // has a certificate, and tells both versions
		secure.EnableHTTP2 = true
		secure.StartTLS()
		server.TLSConfig = secure.TLS
		secure.Close()
		return server.ServeTLS(listener, "", "")
	case slices.Contains(how, "by-http2"):
		server.Protocols = new(http.Protocols)
		server.Protocols.SetUnencryptedHTTP2(true)
	}
	return server.Serve(listener)
}

// plainly answers what tests ask for.
func plainly() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	mux.HandleFunc("GET /environment", func(w http.ResponseWriter, _ *http.Request) {
		folder, err := os.Getwd()
		fmt.Fprintln(w, folder, errors.Join(err))
		fmt.Fprint(w, strings.Join(os.Environ(), "\n"))
	})
	return mux
}

// PlainFolder is that of a server of kind process, which is this test's own program. Lines are in place of those of their fields, or
// besides.
func PlainFolder(t testing.TB, lines ...string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	fields := []string{"schema: loomboard.server/1", "kind: process", "name: plain", "title: The test's own program",
		fmt.Sprintf("command: [%q, %s, '{address}:{port}']", program, PlainServer), "readiness: {path: /}", "workloads: [hello]"}
	for _, line := range lines {
		name, _, _ := strings.Cut(line, ":")
		for i, field := range fields {
			if strings.HasPrefix(field, name+":") {
				fields = append(fields[:i], fields[i+1:]...)
				break
			}
		}
		fields = append(fields, line)
	}
	dir := filepath.Join(t.TempDir(), "plain")
	for name, text := range map[string]string{
		"server.yaml": strings.Join(fields, "\n") + "\n",
		"workloads.yaml": "schema: loomboard.workloads/1\nworkloads:\n" +
			"  hello: {version: 1, title: Says hello, method: GET, path: /, success: {status: 200, body: hello}}\n",
	} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
