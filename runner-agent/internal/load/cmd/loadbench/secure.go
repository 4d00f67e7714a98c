package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

const secureCommand = "secure-server"

// serveSecure is net/http with and without TLS, each with HTTP/1.1 and HTTP/2. It
// prints both addresses and ends with its input.
func serveSecure() error {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 64)) })
	plain := httptest.NewUnstartedServer(handler)
	plain.Config.Protocols = new(http.Protocols)
	plain.Config.Protocols.SetHTTP1(true)
	plain.Config.Protocols.SetUnencryptedHTTP2(true)
	plain.Start()
	secure := httptest.NewUnstartedServer(handler)
	secure.EnableHTTP2 = true
	secure.Config.ErrorLog = nil
	secure.StartTLS()
	fmt.Println(plain.URL+"/", secure.URL+"/")
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

type secureServer struct {
	plain, tls string
	cmd        *exec.Cmd
	stdin      io.Closer
}

func (s *secureServer) pid() int { return s.cmd.Process.Pid }

func (s *secureServer) stop() {
	s.stdin.Close()
	_ = s.cmd.Wait()
}

func startSecure(ctx context.Context) (*secureServer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "taskset", "-c", strconv.Itoa(serverCPU), self, secureCommand)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	plain, tls, ok := strings.Cut(strings.TrimSpace(line), " ")
	if err != nil || !ok {
		return nil, fmt.Errorf("the server says %q instead of its addresses: %w", line, net.ErrClosed)
	}
	return &secureServer{plain, tls, cmd, stdin}, nil
}
