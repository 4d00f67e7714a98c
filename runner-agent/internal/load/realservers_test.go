package load

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"loomboard.dev/agent/internal/jdk"
	"loomboard.dev/agent/internal/port"
	"loomboard.dev/agent/internal/testbed"
)

// Our own client reads what real servers send exactly as net/http does: both
// are asked the same.

func TestTransport_agreesOnTomcatAndNetty(t *testing.T) {
	t.Parallel()
	found, err := jdk.Discover(t.Context(), jdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testbed.NeedJDK(t, len(found.Builds))
	java := filepath.Join(found.Builds[0].Home, "bin", "java")
	for server, variant := range map[string]string{"spring-mvc": "virtual", "spring-webflux": "reactive"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			jar, err := filepath.Abs("../../../sample-servers/" + server + "/target/" + server + ".jar")
			if err != nil {
				t.Fatal(err)
			}
			_, err = os.Stat(jar)
			testbed.Need(t, err, "make servers")
			port := freePort(t)
			url := startProcess(t, port, exec.Command(java, "-Xmx256m", "-jar", jar, "--server.port="+port, "--server.address=127.0.0.1", "--loomboard.variant="+variant))
			agree(t, url, []Target{
				{URL: url + "ready"}, {Method: "HEAD", URL: url + "ready"}, {URL: url + "absent"}, {URL: url + "empty"},
				{Method: "POST", URL: url + "empty"}, {Method: "POST", URL: url + "io?delayMs=5"}, {Method: "POST", URL: url + "io?delayMs=wrong"},
				{Method: "POST", URL: url + "empty", Body: []byte(strings.Repeat("b", 100_000))},
				{Method: "OPTIONS", URL: url + "io"}, {Method: "DELETE", URL: url + "empty"},
			})
		})
	}
}

const nginxConf = `
daemon off; worker_processes 1; pid %[1]s/pid; error_log %[1]s/error.log;
events { worker_connections 64; }
http {
  access_log off; keepalive_requests 3; types { text/plain txt; } default_type text/plain;
  client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
  server { listen 127.0.0.1:%[2]s; root %[1]s;
    location = / { return 200 "hello\n"; }
    location = /none { return 204; }
    location = /moved { return 301 /; }
    location = /drop { return 444; }
    location = /chunked { proxy_pass http://127.0.0.1:%[2]s/large.txt; gzip on; gzip_min_length 1; }
    location = /close { keepalive_timeout 0; return 200 "bye"; }
  }
}`

func TestTransport_agreesOnNginx(t *testing.T) {
	nginx, err := exec.LookPath("nginx")
	testbed.Need(t, err, "install nginx")
	dir, port := t.TempDir(), freePort(t)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"nginx.conf": fmt.Sprintf(nginxConf, dir, port), "large.txt": strings.Repeat("a line of text\n", 50_000)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	url := startProcess(t, port, exec.Command(nginx, "-p", dir, "-c", dir+"/nginx.conf", "-g", "user root;"))
	gzip := map[string]string{"Accept-Encoding": "gzip"}
	agree(t, url, []Target{
		{URL: url}, {Method: "HEAD", URL: url}, {URL: url + "none"}, {URL: url + "moved"}, {URL: url + "drop"}, {URL: url + "absent"},
		{URL: url + "large.txt"}, {Method: "HEAD", URL: url + "large.txt"}, {URL: url + "chunked", Header: gzip}, {URL: url + "close"},
		{URL: url + "large.txt", Header: map[string]string{"If-Modified-Since": time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}},
		{URL: url + "large.txt", Header: map[string]string{"Range": "bytes=0-9"}}, {Method: "POST", URL: url, Body: []byte("x")},
	})
}

// agree holds both transports against each other, ten exchanges each.
func agree(t *testing.T, url string, targets []Target) {
	for _, target := range targets {
		t.Run(target.Method+strings.TrimPrefix(target.URL, url), func(t *testing.T) {
			raw := newTestTransport(t, Spec{Target: target, Transport: RawHTTP, MaxWorkers: 4})
			standard := newTestTransport(t, Spec{Target: target, Transport: Standard, MaxWorkers: 4})
			for i := range 10 {
				mine, theirs := raw.hit(0, true), standard.hit(0, true)
				if mine.code != theirs.code || mine.bytesIn != theirs.bytesIn {
					t.Fatalf("exchange %d: raw %+v, standard %+v", i, mine, theirs)
				}
			}
		})
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	free, err := port.Free()
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(free)
}

// startProcess returns the server's address once it answers; the test ends it.
func startProcess(t *testing.T, port string, cmd *exec.Cmd) string {
	t.Helper()
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
	// Neither says in a line of its own that it listens now.
	testbed.Eventually(t, func() error {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the server ended: %v\n%s", err, output.String())
		default:
		}
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
		}
		return err
	})
	return "http://127.0.0.1:" + port + "/"
}
