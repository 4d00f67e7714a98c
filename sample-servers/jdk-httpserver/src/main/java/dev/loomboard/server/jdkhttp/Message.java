package dev.loomboard.server.jdkhttp;

/** The answer of the workload {@code json}. */
record Message(String message) {}
