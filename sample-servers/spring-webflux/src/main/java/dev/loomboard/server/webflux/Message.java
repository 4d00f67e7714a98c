package dev.loomboard.server.webflux;

/** The answer of the workload {@code json}. */
record Message(String message) {}
