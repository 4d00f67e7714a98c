package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

const truthCommand = "truth"

// serveTruth is a server of known behaviour, in a process of its own: it waits
// for a fixed time, and freezes at fixed times of the wall clock, so that the
// model knows when. It ends when its input does.
func serveTruth(args []string) error {
	flags := flag.NewFlagSet(truthCommand, flag.ExitOnError)
	delay := flags.Duration("delay", 0, "of every answer")
	freeze := flags.Duration("freeze", 0, "how long it freezes")
	period := flags.Duration("period", 2*time.Second, "how often it freezes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("truth server: %w", err)
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		os.Exit(0)
	}()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return fmt.Errorf("truth server: %w", err)
		}
		go answer(conn, func() {
			if into := time.Duration(time.Now().UnixNano()) % *period; into < *freeze {
				time.Sleep(*freeze - into)
			}
			if *delay > 0 {
				time.Sleep(*delay)
			}
		})
	}
}

// answer speaks as little HTTP as it takes: what the server itself costs is no
// part of the truth. Requests have no body.
func answer(conn net.Conn, wait func()) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		for {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return
			}
			if len(line) <= 2 { // the empty line after the header
				break
			}
		}
		wait()
		if _, err := conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")); err != nil {
			return
		}
	}
}

// startTruth starts that server and returns its address. It ends with ctx.
func startTruth(ctx context.Context, args ...string) (url string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{truthCommand}, args...)...)
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil { // closed when this process ends
		return "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("start the truth server: %w", err)
	}
	go func() {
		<-ctx.Done()
		_ = cmd.Wait()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("truth server says no address: %w", err)
	}
	return strings.TrimSpace(line), nil
}
