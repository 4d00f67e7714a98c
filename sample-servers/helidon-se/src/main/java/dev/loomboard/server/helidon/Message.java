package dev.loomboard.server.helidon;

/** The answer of the workload {@code json}. */
record Message(String message) {}
