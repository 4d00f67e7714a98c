package dev.loomboard.server.jetty;

/** The answer of the workload {@code json}. */
record Message(String message) {}
