package dev.loomboard.kernel;

/** Internal key of an account; never leaves the service. */
public record AccountId(long value) implements Internal {}
