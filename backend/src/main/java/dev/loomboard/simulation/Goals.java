package dev.loomboard.simulation;

import dev.loomboard.stats.Estimate;

/** What the figures should reach (STATISTICS §2, issue 4). Where one does not, it is printed and said, not hidden. */
public final class Goals {

    /** False messages per year of an installation. */
    public static final double MESSAGES = 1;
    /** Slowdowns of three standard deviations that are confirmed soon. */
    public static final double FOUND = 0.90;
    /** Equal cells that are called faster or slower after adjustment, and families that have such a one. */
    public static final double WRONG = 0.01;

    public static final double LEAST_COVERAGE = 0.94;
    public static final double MOST_COVERAGE = 0.965;

    /** Boards that order no two equal entries. */
    public static final double RANKS = 0.94;

    private Goals() {}

    public static boolean ranks(Estimate share) {
        return share.value() >= RANKS;
    }

    public static boolean messages(Estimate perYear) {
        return perYear.value() <= MESSAGES;
    }

    public static boolean found(Estimate share) {
        return share.value() >= FOUND;
    }

    public static boolean wrong(Estimate share) {
        return share.value() <= WRONG;
    }

    public static boolean coverage(Estimate share) {
        return share.value() >= LEAST_COVERAGE && share.value() <= MOST_COVERAGE;
    }
}
