package dev.loomboard.forecast;

import dev.loomboard.cell.CellSettings;
import dev.loomboard.expansion.Cell;

/**
 * How much the launches of a series vary, by its cells so far.
 *
 * @param level geometric mean, in the metric's unit
 * @param spread standard deviation of ln within a cell, pooled over the cells
 */
record SeriesSpread(double level, double spread) {

    /** Of a launch whose series was not measured yet: what the simulation of reruns takes, too ({@code /methodology#power}). */
    static final double ASSUMED = 0.025;

    /** Degrees of freedom that a spread needs: with fewer it may be off by half. */
    static final int LEAST_FREEDOM = 4;

    /** All that stays the same along a series, but for the machine and the JDK. */
    record Key(String server, String variant, String scenario, CellSettings settings, String metric) {
        static Key of(Cell cell, String metric) {
            return new Key(
                    cell.server().name(),
                    cell.server().variant(),
                    cell.scenario().key(),
                    cell.settings(),
                    metric);
        }
    }
}
