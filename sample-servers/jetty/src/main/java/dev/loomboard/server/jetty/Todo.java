package dev.loomboard.server.jetty;

/** A row of the workload {@code todo}. */
record Todo(int id, String title, boolean done) {

    Todo withId(int other) {
        return new Todo(other, title, done);
    }
}
