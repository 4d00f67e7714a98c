package dev.loomboard.server.micronaut;

import io.micronaut.serde.annotation.Serdeable;

/** The answer of the workload {@code json}. */
@Serdeable.Serializable
record Message(String message) {}
