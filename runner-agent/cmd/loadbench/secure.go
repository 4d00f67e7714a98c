package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"loomboard.dev/agent/internal/spawn"
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
	process    *spawn.Server
}

func (s *secureServer) pid() int { return s.process.Pid() }

func (s *secureServer) stop() { _ = s.process.Stop() }

func startSecure(ctx context.Context) (*secureServer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "taskset", "-c", strconv.Itoa(serverCPU), self, secureCommand)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	process, err := spawn.Start(ctx, cmd, nil)
	if err != nil {
		return nil, err
	}
	plain, tls, _ := strings.Cut(process.FirstLine, " ")
	return &secureServer{plain, tls, process}, nil
}
