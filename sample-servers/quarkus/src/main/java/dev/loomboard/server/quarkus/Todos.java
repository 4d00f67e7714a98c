package dev.loomboard.server.quarkus;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlResult;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of the workload {@code todo}: each method is one statement, and each statement a transaction of its own. */
@Singleton
final class Todos {

    private static final String LIST = "select id, title, done from todo where id >= $1 order by id limit 20";
    private static final String FIND = "select id, title, done from todo where id = $1";
    private static final String WRITE = "insert into todo (id, title, done) values ($1, $2, $3)"
            + " on conflict (id) do update set title = excluded.title, done = excluded.done";
    private static final String CHANGE = "update todo set title = $2, done = $3 where id = $1";
    private static final String REMOVE = "delete from todo where id = $1";

    private final Instance<Pool> database;

    /** @param database none: the server was not told of one, and opens no connection */
    Todos(Instance<Pool> database) {
        this.database = database;
    }

    /** Those from an id on, in their order. */
    Uni<List<Todo>> list(int from) {
        return execute(LIST, Tuple.of(from)).map(Todos::rows);
    }

    Uni<Optional<Todo>> find(int id) {
        return execute(FIND, Tuple.of(id)).map(found -> rows(found).stream().findFirst());
    }

    /** In place of one of the same id, if there is one. */
    Uni<Todo> write(Todo todo) {
        return execute(WRITE, Tuple.of(todo.id(), todo.title(), todo.done())).map(written -> todo);
    }

    /** Empty: there is none of this id. */
    Uni<Optional<Todo>> change(Todo todo) {
        return execute(CHANGE, Tuple.of(todo.id(), todo.title(), todo.done()))
                .map(SqlResult::rowCount)
                .map(changed -> changed > 0 ? Optional.of(todo) : Optional.empty());
    }

    Uni<Void> remove(int id) {
        return execute(REMOVE, Tuple.of(id)).replaceWithVoid();
    }

    private Uni<RowSet<Row>> execute(String sql, Tuple values) {
        return database.get().preparedQuery(sql).execute(values);
    }

    private static List<Todo> rows(RowSet<Row> found) {
        List<Todo> all = new ArrayList<>();
        found.forEach(row -> all.add(new Todo(row.getInteger(0), row.getString(1), row.getBoolean(2))));
        return all;
    }
}
