package dev.loomboard.hiding;

import dev.loomboard.kernel.WireName;

/** What can be hidden. */
public enum HidingKind implements WireName {
    RUN,
    MACHINE,
    WORKSPACE
}
