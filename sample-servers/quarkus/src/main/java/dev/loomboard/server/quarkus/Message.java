package dev.loomboard.server.quarkus;

/** The answer of the workload {@code json}. */
public record Message(String message) {

    static Message hello() {
        return new Message("Hello, World!");
    }
}
