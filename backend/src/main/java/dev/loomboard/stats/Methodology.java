package dev.loomboard.stats;

public final class Methodology {

    /** Of the formulas that results are made by; results of two versions are never mixed. */
    public static final String VERSION = "2.5";

    private Methodology() {}
}
