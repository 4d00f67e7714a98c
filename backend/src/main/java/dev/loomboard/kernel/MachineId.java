package dev.loomboard.kernel;

/** Internal key of a runner machine; never leaves the service. */
public record MachineId(long value) implements Internal {}
