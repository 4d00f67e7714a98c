package dev.loomboard.web;

/** Internal key of a workspace; never leaves the service. */
public record WorkspaceId(long value) {}
