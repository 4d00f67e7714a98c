package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;

/** Whether a JDK build is an early-access build or a release. */
public enum Availability implements WireName {
    EA,
    GA
}
