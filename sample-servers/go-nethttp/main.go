// Command go-nethttp answers the workloads of WORKLOADS.md with Go's own net/http: a goroutine for each connection, which may
// wait. It shares no code with another server and knows nothing of Loomboard but the workloads.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

const (
	// headersWithin bounds how long a client may send nothing but a part of its headers, and how long a new connection may be idle; one
	// that was used may be for ever. Load opens connections ahead that may see their first request late.
	headersWithin = 5 * time.Minute
	// stopWithin is what requests in flight get: the agent waits for the end of a trial.
	stopWithin = 2 * time.Second
)

func main() {
	address := flag.String("address", "127.0.0.1", "to listen on")
	port := flag.String("port", "8080", "to listen on")
	var db database
	flag.StringVar(&db.address, "database", "", "host:port/name that workloads ask; empty: those are not there")
	flag.StringVar(&db.user, "database-user", "", "of the database; its password is in LOOMBOARD_DATABASE_PASSWORD")
	flag.IntVar(&db.connections, "database-connections", 1, "in the pool, all of them open")
	flag.Parse()
	db.password = os.Getenv("LOOMBOARD_DATABASE_PASSWORD")
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "go-nethttp: unknown argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(net.JoinHostPort(*address, *port), db); err != nil {
		fmt.Fprintln(os.Stderr, "go-nethttp:", err)
		os.Exit(1)
	}
}

// run serves until it is told to stop.
func run(address string, db database) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	mux := routes()
	if db.address != "" {
		pool, err := db.open(ctx)
		if err != nil {
			return err
		}
		defer pool.Close()
		databaseRoutes(mux, pool)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("go-nethttp by %s answers on %s\n", runtime.Version(), listener.Addr())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: headersWithin}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	if err := server.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
