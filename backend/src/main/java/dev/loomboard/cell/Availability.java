package dev.loomboard.cell;

/** Whether a JDK build is an early-access build or a release. */
public enum Availability implements WireName {
    EA,
    GA
}
