package dev.loomboard.server.vertx;

import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;

/** A row of the workload {@code todo}. */
record Todo(int id, String title, boolean done) {

    static Todo of(Row row) {
        return new Todo(row.getInteger(0), row.getString(1), row.getBoolean(2));
    }

    static Todo of(JsonObject object) {
        return new Todo(object.getInteger("id"), object.getString("title"), object.getBoolean("done"));
    }

    Todo withId(int other) {
        return new Todo(other, title, done);
    }

    JsonObject json() {
        return new JsonObject().put("id", id).put("title", title).put("done", done);
    }
}
