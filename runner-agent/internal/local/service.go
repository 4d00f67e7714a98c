package local

import (
	"cmp"
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

const startLimit = 90 * time.Second

// longLease outlasts a trial during which the service sleeps and hears no heartbeat.
const longLease = "15m"

// startService starts the service and returns when it answers.
func (s *System) startService(ctx context.Context, o Options) error {
	if err := portFree(o); err != nil {
		return err
	}
	token := NewToken()
	log := filepath.Join(o.Data, "service.log")
	if err := os.Rename(log, log+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot put the last service log aside: %w", err)
	}
	fmt.Println("Starting the service …")
	began := time.Now()
	settings := []string{"LOOMBOARD_BOOTSTRAP_TOKEN=" + token, "LOOMBOARD_DATA=" + o.Data, "LOOMBOARD_PORT=" + strconv.Itoa(o.Port)}
	settings = append(settings, o.Settings...)
	if o.Results != "" {
		settings = append(settings, "LOOMBOARD_SHIPPED_RESULTS="+o.Results)
	}
	if o.Quiet {
		settings = append(settings, "LOOMBOARD_RUN_LEASE="+longLease)
	}
	c, err := start("the service", log, settings, o.Java, "-XX:+UseSerialGC", "-Xmx384m", "-XX:+ExitOnOutOfMemoryError", "-jar", o.Jar)
	if err != nil {
		return err
	}
	s.Service, s.Client, s.token = c, NewClient("http://localhost:"+strconv.Itoa(o.Port), token), token
	if err := s.awaitHealth(ctx); err != nil {
		return err
	}
	fmt.Printf("The service is up after %.1f s: %s\n", time.Since(began).Seconds(), s.Client.Base)
	return nil
}

func (s *System) awaitHealth(ctx context.Context) error {
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	poll := time.NewTicker(200 * time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.Service.Done:
			return fmt.Errorf("the service did not start; it said:\n%s", s.Service.LastLines(15))
		case <-limit.C:
			return fmt.Errorf("the service did not answer within %s; its log is %s", startLimit, s.Service.Log)
		case <-poll.C:
			if s.Client.healthy(ctx) {
				return nil
			}
		}
	}
}

var setupLink = regexp.MustCompile(`https?://\S+/setup/\S+`)

// SetupLink is the one-time link of the first administrator; "" once it was used.
func (s *System) SetupLink() string {
	return setupLink.FindString(s.Service.LastLines(200))
}

func portFree(o Options) error {
	l, err := net.Listen("tcp", net.JoinHostPort("", strconv.Itoa(o.Port)))
	if err != nil {
		return fmt.Errorf("port %d is taken by another program: stop it, or choose another port with `%s`", o.Port,
			fmt.Sprintf(cmp.Or(o.AnotherPort, "-port %d"), o.Port+1))
	}
	return l.Close()
}

// NewToken is an API token that a service may be started with (LOOMBOARD_BOOTSTRAP_TOKEN).
func NewToken() string { return "lbt_" + secret() }

// secret is 256 random bits in the service's own spelling.
func secret() string {
	bits := make([]byte, 32)
	rand.Read(bits) // never fails: crypto/rand crashes the program instead
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(bits))
}
