package dev.loomboard.hiding;

import dev.loomboard.cell.WireName;

/** What can be hidden. */
public enum HidingKind implements WireName {
    RUN,
    MACHINE,
    WORKSPACE
}
