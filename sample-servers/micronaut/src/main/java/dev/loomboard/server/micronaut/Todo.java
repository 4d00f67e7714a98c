package dev.loomboard.server.micronaut;

import io.micronaut.serde.annotation.Serdeable;

/** A row of the workload {@code todo}. */
@Serdeable
record Todo(int id, String title, boolean done) {

    Todo withId(int other) {
        return new Todo(other, title, done);
    }
}
