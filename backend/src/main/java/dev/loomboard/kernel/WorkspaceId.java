package dev.loomboard.kernel;

/** Internal key of a workspace; never leaves the service. */
public record WorkspaceId(long value) implements Internal {}
