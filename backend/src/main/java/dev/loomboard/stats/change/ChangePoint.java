package dev.loomboard.stats.change;

/**
 * Where a series goes over to another level. A suspect, not a finding: see {@link Confirmation}.
 *
 * @param index first point of the new level, from 0
 * @param qhat the statistic by which the place was chosen, in the series' unit
 * @param p two-sided, of the level before against the level after; {@link Detector} says which test
 * @param before mean from the previous change point to this one, in the series' unit
 * @param after mean from this one to the next
 */
public record ChangePoint(int index, double qhat, double p, double before, double after) {

    /** Change of the mean as a share of the mean before; 0 when that is 0. */
    public double change() {
        return share(before, after);
    }

    /** The greater of the shares by which the mean changes when read forwards and backwards. */
    public double magnitude() {
        return StrictMath.max(StrictMath.abs(change()), StrictMath.abs(share(after, before)));
    }

    private static double share(double from, double to) {
        return from == 0 ? 0 : to / from - 1;
    }
}
