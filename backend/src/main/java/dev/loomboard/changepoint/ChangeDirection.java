package dev.loomboard.changepoint;

import dev.loomboard.kernel.WireName;

/** Whether the new level is worse or better, by what the catalogue says of the metric. */
public enum ChangeDirection implements WireName {
    WORSE,
    BETTER
}
