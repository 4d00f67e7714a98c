package dev.loomboard.trial;

import org.jspecify.annotations.Nullable;

/**
 * The ticks of one metric, merged so that a chart can show the points separately.
 *
 * @param merged ticks a point: 1, or more when thinned
 * @param nanos of the last tick of each point, from the trial's start
 * @param last the reading of that tick; null: not measured
 * @param highest reading of all ticks of the point; null: none was measured
 */
record ThinnedSamples(
        int merged,
        long[] nanos,
        @Nullable Double[] last,
        @Nullable Double[] highest) {

    private static final double SECOND = 1e9;

    ThinnedSamples {
        if (nanos.length != last.length || nanos.length != highest.length) {
            throw new IllegalArgumentException("thinned samples need as many readings as times, has " + nanos.length
                    + " times, " + last.length + " last and " + highest.length + " highest");
        }
    }

    int points() {
        return nanos.length;
    }

    double seconds(int point) {
        return nanos[point] / SECOND;
    }
}
