package main

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// service is the running service and a client of it.
type service struct {
	child  *child
	client *client
}

func (s *service) stop() error { return s.child.stop() }

const startLimit = 90 * time.Second

// startService starts the service and returns when it answers.
func startService(ctx context.Context, o options) (*service, error) {
	if err := portFree(o.port); err != nil {
		return nil, err
	}
	token := "lbt_" + secret()
	log := filepath.Join(o.data, "service.log")
	if err := os.Rename(log, log+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("cannot put the last service log aside: %w", err)
	}
	fmt.Println("Starting the service …")
	began := time.Now()
	c, err := startChild("the service", log,
		[]string{"LOOMBOARD_BOOTSTRAP_TOKEN=" + token, "LOOMBOARD_DATA=" + o.data, "LOOMBOARD_PORT=" + strconv.Itoa(o.port)},
		o.java, "-XX:+UseSerialGC", "-Xmx384m", "-jar", o.jar)
	if err != nil {
		return nil, err
	}
	s := &service{child: c, client: newClient("http://localhost:"+strconv.Itoa(o.port), token)}
	if err := s.awaitHealth(ctx); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	fmt.Printf("The service is up after %.1f s: %s\n", time.Since(began).Seconds(), s.client.base)
	s.printSetupLink()
	return s, nil
}

func (s *service) awaitHealth(ctx context.Context) error {
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	poll := time.NewTicker(200 * time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.child.done:
			return fmt.Errorf("the service did not start; it said:\n%s", s.child.lastWords(15))
		case <-limit.C:
			return fmt.Errorf("the service did not answer within %s; its log is %s", startLimit, s.child.log)
		case <-poll.C:
			if s.client.healthy(ctx) {
				return nil
			}
		}
	}
}

var setupLink = regexp.MustCompile(`https?://\S+/setup/\S+`)

// printSetupLink shows the one-time link of the first administrator while nobody has used one.
func (s *service) printSetupLink() {
	if link := setupLink.FindString(s.child.lastWords(200)); link != "" {
		fmt.Println("To sign in, make the first administrator by this one-time link:", link)
	}
}

func portFree(port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort("", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("port %d is taken by another program: stop it, or choose another port with `make demo PORT=%d`", port, port+1)
	}
	return l.Close()
}

// secret is 256 random bits in the service's own spelling.
func secret() string {
	bits := make([]byte, 32)
	rand.Read(bits) // never fails: crypto/rand crashes the program instead
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(bits))
}
