package dev.loomboard.simulation;

import dev.loomboard.stats.Estimate;
import dev.loomboard.stats.paired.Power;

/** What the figures should reach. Where one does not, it is printed and said, not hidden. */
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

    /** Launch spread and margin at which reruns have goals. */
    static final double SPREAD = 0.025;

    static final double DELTA = 0.02;
    /** Changes of 5 % and of 3 % that a rerun finds once it is started. */
    public static final double FIVE_PERCENT = 0.90;

    public static final double THREE_PERCENT = 0.80;
    /** Reruns of equal builds that say slower. */
    public static final double FALSE_RERUNS = 0.002;

    /** How far from {@link Power#WANTED} the share may be that is found of changes that are stated to be found with it. */
    public static final double FINDABLE = 0.05;

    private Goals() {}

    static boolean power(RerunPower of, Estimate found) {
        if (of.change() == 0) {
            return found.value() <= FALSE_RERUNS;
        }
        boolean due = of.spread() == SPREAD && of.delta() == DELTA;
        double goal = of.change() == 0.03 ? THREE_PERCENT : of.change() == 0.05 ? FIVE_PERCENT : 0;
        return !due || found.value() >= goal;
    }

    static boolean findable(Estimate share) {
        return StrictMath.abs(share.value() - Power.WANTED) <= FINDABLE;
    }

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
