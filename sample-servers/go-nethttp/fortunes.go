package main

import (
	"net/http"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

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
		writeJSON(w, http.StatusOK, withOwn(found))
	})
}

// withOwn is the rows and one of the server's own, by message.
func withOwn(rows []fortune) []fortune {
	all := append(rows, fortune{0, "The one that no database knows"})
	slices.SortFunc(all, func(a, b fortune) int { return strings.Compare(a.Message, b.Message) })
	return all
}
