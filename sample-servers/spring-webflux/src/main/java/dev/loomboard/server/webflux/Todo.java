package dev.loomboard.server.webflux;

/** A row of the workload {@code todo}. */
record Todo(int id, String title, boolean done) {

    Todo withId(int other) {
        return new Todo(other, title, done);
    }
}
