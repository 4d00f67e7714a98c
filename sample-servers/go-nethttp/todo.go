package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	listTodos = "select id, title, done from todo where id >= $1 order by id limit 20"
	readTodo  = "select id, title, done from todo where id = $1"
	writeTodo = "insert into todo (id, title, done) values ($1, $2, $3) " +
		"on conflict (id) do update set title = excluded.title, done = excluded.done"
	changeTodo = "update todo set title = $2, done = $3 where id = $1"
	deleteTodo = "delete from todo where id = $1"
)

type todo struct {
	ID    int32  `json:"id"`
	Title string `json:"title"`
	Done  bool   `json:"done"`
}

// todos are the operations of the workload todo: one statement a request, each a transaction of its own.
type todos struct{ pool *pgxpool.Pool }

func (t todos) handle(mux *http.ServeMux) {
	mux.Handle("GET /todo", answering(t.list))
	mux.Handle("POST /todo", answering(t.create))
	mux.Handle("GET /todo/{id}", answering(t.read))
	mux.Handle("PUT /todo/{id}", answering(t.update))
	mux.Handle("DELETE /todo/{id}", answering(t.delete))
}

// Why there is no row to answer with.
var (
	errNone = errors.New("there is no such row")
	errBad  = errors.New("the request cannot be read")
)

// answering writes what a handler gives as JSON; a nil is no body.
func answering(handle func(r *http.Request) (status int, value any, err error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, value, err := handle(r)
		switch {
		case errors.Is(err, errNone):
			http.Error(w, err.Error(), http.StatusNotFound)
		case errors.Is(err, errBad):
			http.Error(w, err.Error(), http.StatusBadRequest)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		case value == nil:
			w.WriteHeader(status)
		default:
			writeJSON(w, status, value)
		}
	})
}

func (t todos) list(r *http.Request) (status int, value any, err error) {
	from := int32(1)
	if text := r.URL.Query().Get("from"); text != "" {
		if from, err = id(text); err != nil {
			return 0, nil, err
		}
	}
	rows, _ := t.pool.Query(r.Context(), listTodos, from) // CollectRows tells its error
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[todo])
	return http.StatusOK, found, err
}

func (t todos) read(r *http.Request) (status int, value any, err error) {
	key, err := id(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	rows, _ := t.pool.Query(r.Context(), readTodo, key) // CollectExactlyOneRow tells its error
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[todo])
	if errors.Is(err, pgx.ErrNoRows) {
		err = errNone
	}
	return http.StatusOK, found, err
}

func (t todos) create(r *http.Request) (status int, value any, err error) {
	row, err := body(r)
	if err != nil {
		return 0, nil, err
	}
	_, err = t.pool.Exec(r.Context(), writeTodo, row.ID, row.Title, row.Done)
	return http.StatusCreated, row, err
}

func (t todos) update(r *http.Request) (status int, value any, err error) {
	row, err := body(r)
	if err != nil {
		return 0, nil, err
	}
	if row.ID, err = id(r.PathValue("id")); err != nil {
		return 0, nil, err
	}
	done, err := t.pool.Exec(r.Context(), changeTodo, row.ID, row.Title, row.Done)
	if err == nil && done.RowsAffected() == 0 {
		err = errNone
	}
	return http.StatusOK, row, err
}

func (t todos) delete(r *http.Request) (status int, value any, err error) {
	key, err := id(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	_, err = t.pool.Exec(r.Context(), deleteTodo, key)
	return http.StatusNoContent, nil, err
}

func id(text string) (int32, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, errors.Join(errBad, err)
	}
	return int32(n), nil
}

func body(r *http.Request) (row todo, err error) {
	if err := json.NewDecoder(r.Body).Decode(&row); err != nil {
		return row, errors.Join(errBad, err)
	}
	return row, nil
}
