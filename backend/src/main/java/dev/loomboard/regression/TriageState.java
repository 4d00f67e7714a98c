package dev.loomboard.regression;

import dev.loomboard.kernel.WireName;

/** What people say of a confirmed regression. */
public enum TriageState implements WireName {
    OPEN,
    ACKNOWLEDGED,
    EXPECTED,
    FIXED
}
