package dev.loomboard.server.vertx;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All rows of a table, one more, sorted, as JSON: one question to the database a request. */
final class Fortunes {

    private static final String SELECT = "select id, message from fortune";

    private final Pool database;

    Fortunes(Pool database) {
        this.database = database;
    }

    Future<JsonArray> select() {
        return database.query(SELECT).mapping(Fortune::of).execute().map(Fortunes::answer);
    }

    private static JsonArray answer(Iterable<Fortune> rows) {
        List<Fortune> all = new ArrayList<>();
        rows.forEach(all::add);
        all.add(new Fortune(0, "The one that no database knows"));
        all.sort(Comparator.comparing(Fortune::message));
        JsonArray array = new JsonArray();
        all.forEach(
                fortune -> array.add(new JsonObject().put("id", fortune.id()).put("message", fortune.message())));
        return array;
    }

    private record Fortune(int id, String message) {
        static Fortune of(Row row) {
            return new Fortune(row.getInteger(0), row.getString(1));
        }
    }
}
