package dev.loomboard.server.vertx;

import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of the workload {@code todo}: each method is one statement, and each statement a transaction of its own. */
record Todos(Pool database) {

    private static final String LIST = "select id, title, done from todo where id >= $1 order by id limit 20";
    private static final String FIND = "select id, title, done from todo where id = $1";
    private static final String WRITE = "insert into todo (id, title, done) values ($1, $2, $3)"
            + " on conflict (id) do update set title = excluded.title, done = excluded.done";
    private static final String CHANGE = "update todo set title = $2, done = $3 where id = $1";
    private static final String REMOVE = "delete from todo where id = $1";

    /** Those from an id on, in their order. */
    Future<List<Todo>> list(int from) {
        return select(LIST, from);
    }

    Future<Optional<Todo>> find(int id) {
        return select(FIND, id).map(rows -> rows.stream().findFirst());
    }

    /** In place of one of the same id, if there is one. */
    Future<Todo> write(Todo todo) {
        return execute(WRITE, Tuple.of(todo.id(), todo.title(), todo.done())).map(rows -> todo);
    }

    /** Empty: there is none of this id. */
    Future<Optional<Todo>> change(Todo todo) {
        return execute(CHANGE, Tuple.of(todo.id(), todo.title(), todo.done()))
                .map(rows -> rows > 0 ? Optional.of(todo) : Optional.empty());
    }

    Future<Void> remove(int id) {
        return execute(REMOVE, Tuple.of(id)).mapEmpty();
    }

    private Future<List<Todo>> select(String sql, int id) {
        return database.preparedQuery(sql)
                .mapping(Todo::of)
                .execute(Tuple.of(id))
                .map(Todos::rows);
    }

    private Future<Integer> execute(String sql, Tuple values) {
        return database.preparedQuery(sql).execute(values).map(SqlResult::rowCount);
    }

    private static List<Todo> rows(RowSet<Todo> found) {
        List<Todo> all = new ArrayList<>();
        found.forEach(all::add);
        return all;
    }
}
