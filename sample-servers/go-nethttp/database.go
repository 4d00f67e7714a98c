package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// database is what workloads ask.
type database struct {
	address        string // host:port/name
	user, password string
	connections    int
}

// open makes the pool, which opens its connections by itself.
func (d database) open(ctx context.Context) (*pgxpool.Pool, error) {
	host, name, _ := strings.Cut(d.address, "/")
	at := url.URL{Scheme: "postgres", User: url.UserPassword(d.user, d.password), Host: host, Path: "/" + name}
	config, err := pgxpool.ParseConfig(at.String())
	if err != nil {
		return nil, fmt.Errorf("the database's address: %w", err)
	}
	config.MinConns, config.MaxConns = int32(d.connections), int32(d.connections)
	// A connection that was idle for a second would else be asked first: a second question, which makes a request at low rates
	// twice as far from its database as one at high rates.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	return pgxpool.NewWithConfig(ctx, config)
}

// databaseRoutes adds the workloads that ask the database.
func databaseRoutes(mux *http.ServeMux, pool *pgxpool.Pool) {
	mux.Handle("POST /fortunes", fortunes(pool))
	mux.Handle("POST /sql-sleep", sqlSleep(pool))
	todos{pool}.handle(mux)
}

// sqlSleep has the database wait, and a connection of the pool with it.
func sqlSleep(pool *pgxpool.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := &query{values: r.URL.Query()}
		delay := q.delay(100)
		if q.err != nil {
			http.Error(w, q.err.Error(), http.StatusBadRequest)
			return
		}
		if _, err := pool.Exec(r.Context(), "select pg_sleep($1)", delay.Seconds()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		writeText(w, "ok")
	})
}
