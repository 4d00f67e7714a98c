package dev.loomboard.server.mvc;

/** The answer of the workload {@code json}. */
record Message(String message) {}
