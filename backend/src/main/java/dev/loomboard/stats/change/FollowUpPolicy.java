package dev.loomboard.stats.change;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.paired.Verdict;

/**
 * How a suspected change point is followed up ({@code /methodology#histories}): at once by an interleaved rerun of two builds
 * ({@link SequentialRerun}), and once by {@link Confirmation} when its level has enough points. Neither is repeated, whatever it
 * says.
 */
public final class FollowUpPolicy {

    /** Points of a series so near each other are one: the detector moves them about as nights arrive. */
    public static final int MERGED = 2;
    /**
     * Of the level before and the new one together, for the place between them to be a suspect. Fewer do not tell how much a series varies: of
     * three points that happen to lie close together any fourth is far away.
     */
    public static final int LEAST_POINTS = 6;
    /** Of the new level, before its history is tested. */
    public static final int POINTS = 12;

    private FollowUpPolicy() {}

    public static boolean same(int index, int other) {
        return StrictMath.abs(index - other) <= MERGED;
    }

    /**
     * Whether two levels have points enough to be told apart.
     *
     * @param start of the level before
     * @param end of the new level: the index after its last point
     */
    public static boolean tellsApart(int start, int end) {
        return end - start >= LEAST_POINTS;
    }

    /** The newest point that is surely of the level before, which the rerun compares the newest build with. */
    public static int lastGood(int index) {
        return StrictMath.max(0, index - 1 - MERGED);
    }

    /** Whether the rerun found what was suspected, and not its opposite. */
    public static boolean confirms(ChangePoint suspect, Better better, Verdict verdict) {
        boolean higher = suspect.after() > suspect.before();
        return verdict == (higher == (better == Better.LOWER) ? Verdict.SLOWER : Verdict.FASTER);
    }
}
