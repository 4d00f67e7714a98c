package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// database is what fortunes asks.
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

type fortune struct {
	ID      int32  `json:"id"`
	Message string `json:"message"`
}

// fortunes answers all rows of a table, and one more, sorted, as JSON: one question to the database a request.
func fortunes(pool *pgxpool.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rows, _ := pool.Query(r.Context(), "select id, message from fortune") // CollectRows tells its error
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[fortune])
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		answer, err := withOwn(found)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	})
}

// withOwn is the rows and one of the server's own, by message, as JSON. < and > stay as they are: json.Marshal would escape them.
func withOwn(rows []fortune) ([]byte, error) {
	all := append(rows, fortune{0, "The one that no database knows"})
	slices.SortFunc(all, func(a, b fortune) int { return strings.Compare(a.Message, b.Message) })
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(all); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
