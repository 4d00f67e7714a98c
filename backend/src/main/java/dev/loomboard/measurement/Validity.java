package dev.loomboard.measurement;

import dev.loomboard.kernel.WireName;

/** Health of the load generator in a step: invalid never ranks. */
public enum Validity implements WireName {
    VALID,
    SUSPECT,
    INVALID
}
