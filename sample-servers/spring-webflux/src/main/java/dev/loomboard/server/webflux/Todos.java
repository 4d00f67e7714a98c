package dev.loomboard.server.webflux;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Row;
import java.util.List;
import reactor.core.publisher.Mono;

/** The table of the workload {@code todo}: each method is one statement. */
final class Todos {

    private static final String LIST = "select id, title, done from todo where id >= $1 order by id limit 20";
    private static final String FIND = "select id, title, done from todo where id = $1";
    private static final String WRITE = "insert into todo (id, title, done) values ($1, $2, $3)"
            + " on conflict (id) do update set title = excluded.title, done = excluded.done";
    private static final String CHANGE = "update todo set title = $1, done = $2 where id = $3";
    private static final String REMOVE = "delete from todo where id = $1";

    private final Statements statements;

    Todos(ConnectionPool database) {
        this.statements = new Statements(database);
    }

    /** Those from an id on, in their order. */
    Mono<List<Todo>> list(int from) {
        return statements.select(LIST, Todos::read, from);
    }

    /** Empty: there is none. */
    Mono<Todo> find(int id) {
        return statements
                .select(FIND, Todos::read, id)
                .flatMapIterable(rows -> rows)
                .next();
    }

    /** In place of one of the same id, if there is one. */
    Mono<Todo> write(Todo todo) {
        return statements.execute(WRITE, todo.id(), todo.title(), todo.done()).thenReturn(todo);
    }

    /** Empty: there is none of this id. */
    Mono<Todo> change(Todo todo) {
        return statements
                .execute(CHANGE, todo.title(), todo.done(), todo.id())
                .filter(rows -> rows > 0)
                .map(rows -> todo);
    }

    Mono<Void> remove(int id) {
        return statements.execute(REMOVE, id).then();
    }

    private static Todo read(Row row) {
        return new Todo(row.get(0, Integer.class), row.get(1, String.class), row.get(2, Boolean.class));
    }
}
