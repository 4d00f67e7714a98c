package dev.loomboard.server.quarkus;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** All rows of a table, one more, sorted: one question to the database a request. */
@Singleton
final class Fortunes {

    private final Instance<Pool> database;

    /** @param database none: the server was not told of one, and opens no connection */
    Fortunes(Instance<Pool> database) {
        this.database = database;
    }

    Uni<List<Fortune>> select() {
        return database.get().query(Fortune.SELECT).execute().map(Fortunes::answer);
    }

    private static List<Fortune> answer(RowSet<Row> rows) {
        List<Fortune> all = new ArrayList<>();
        rows.forEach(row -> all.add(new Fortune(row.getInteger(0), row.getString(1))));
        return Fortune.answer(all);
    }
}
