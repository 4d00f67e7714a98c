package dev.loomboard.bisection;

import dev.loomboard.kernel.WireName;

public enum BisectionStatus implements WireName {
    RUNNING,
    DONE,
    CANCELLED,
    FAILED
}
