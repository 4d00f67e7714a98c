package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"

	"loomboard.dev/agent/internal/remote"
)

// loadHost is another host that sends the load.
type loadHost struct {
	URL        string `json:"url"`
	ServeOn    string `json:"serveOn"`
	SecretFile string `json:"secretFile"`
}

func (h *loadHost) orNil() *loadHost {
	if *h == (loadHost{}) {
		return nil
	}
	return h
}

// client is nil for a nil host.
func (h *loadHost) client() (*remote.Client, error) {
	if h == nil {
		return nil, nil
	}
	if !strings.HasPrefix(h.URL, "https://") || h.SecretFile == "" {
		return nil, errors.New("a load host needs its address (https://host:port) and the file of the shared secret")
	}
	if _, err := netip.ParseAddr(h.ServeOn); err != nil {
		return nil, fmt.Errorf("this host's address as the load host sees it is needed: %w", err)
	}
	secret, err := remote.ReadSecret(h.SecretFile)
	if err != nil {
		return nil, err
	}
	return remote.NewClient(h.URL, h.ServeOn, secret)
}

// serve makes this machine a load host until it is stopped.
func serve(ctx context.Context, args []string) error {
	var listen, secretFile, targets string
	help, err := flags("serve", "serve --listen 10.0.0.1:7070 --target 10.0.0.2/32 --secret-file FILE", args,
		func(f *flag.FlagSet) {
			f.StringVar(&listen, "listen", "", "address to listen on: one that only the server host reaches")
			f.StringVar(&targets, "target", "", "addresses that load may be sent to, with commas; none other")
			f.StringVar(&secretFile, "secret-file", "",
				"the secret that both hosts share (openssl rand -hex 32 > FILE; chmod 600 FILE)")
		})
	if help || err != nil {
		return err
	}
	if cmp.Or(listen, targets) == "" || secretFile == "" {
		return usageError{errors.New("serve: --listen, --target and --secret-file are needed")}
	}
	server := remote.Server{Log: logger(os.Stderr, slog.LevelInfo)}
	for target := range strings.SplitSeq(targets, ",") {
		prefix, err := netip.ParsePrefix(target)
		if err != nil {
			return usageError{fmt.Errorf("serve: --target: %w", err)}
		}
		server.Targets = append(server.Targets, prefix)
	}
	if server.Secret, err = remote.ReadSecret(secretFile); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	server.Log.Info("sends load for an agent that knows the secret", "on", listener.Addr(), "to", targets)
	return server.Serve(ctx, listener)
}
