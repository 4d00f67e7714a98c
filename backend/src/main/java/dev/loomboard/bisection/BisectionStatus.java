package dev.loomboard.bisection;

import dev.loomboard.cell.WireName;

public enum BisectionStatus implements WireName {
    RUNNING,
    DONE,
    CANCELLED,
    FAILED
}
