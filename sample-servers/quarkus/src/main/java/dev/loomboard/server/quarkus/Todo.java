package dev.loomboard.server.quarkus;

/** A row of the workload {@code todo}. */
public record Todo(int id, String title, boolean done) {

    Todo withId(int other) {
        return new Todo(other, title, done);
    }
}
