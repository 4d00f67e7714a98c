package dev.loomboard.stats.latency;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a percentile of one trial may be judged ({@code /methodology#judged}).
 *
 * @param reason why not, in words; null: it may
 */
public record Eligibility(boolean eligible, @Nullable String reason) {

    /** Hits that must lie beyond a percentile. */
    public static final int LEAST_BEYOND = 100;
    /** Independent hits that those must be worth: one long stall is one observation, however many hits it catches. */
    public static final int LEAST_INDEPENDENT = 10;

    private static final Eligibility YES = new Eligibility(true, null);

    /**
     * @param count all hits of the step
     * @param perSecond hits beyond the percentile, of each of its seconds in order
     */
    public static Eligibility of(Quantile quantile, long count, long[] perSecond) {
        List<String> reasons = new ArrayList<>();
        if (!enough(quantile, count)) {
            reasons.add(tooFew(quantile, count));
        }
        double independent = IndependentHits.of(perSecond);
        if (perSecond.length < IndependentHits.LEAST_SECONDS) {
            reasons.add("%d seconds had hits, %d are needed to see whether those beyond %s come in bursts"
                    .formatted(perSecond.length, IndependentHits.LEAST_SECONDS, quantile.words()));
        } else if (independent < LEAST_INDEPENDENT) {
            reasons.add("the hits beyond %s come in bursts and are worth %.1f independent ones, %d are needed"
                    .formatted(quantile.words(), StrictMath.floor(independent * 10) / 10, LEAST_INDEPENDENT));
        }
        return reasons.isEmpty() ? YES : new Eligibility(false, String.join("; ", reasons));
    }

    /**
     * Of a part of a step's hits, whose seconds are not known: hits enough of its own must lie beyond, and those of the whole must be
     * worth enough. What comes in bursts in the part alone is not seen.
     *
     * @param count hits of the part
     * @param whole of the same percentile
     */
    public static Eligibility ofPart(Quantile quantile, long count, Eligibility whole) {
        if (!enough(quantile, count)) {
            return new Eligibility(false, tooFew(quantile, count));
        }
        return whole.eligible ? YES : new Eligibility(false, "of all hits together, " + whole.reason);
    }

    /** Whether these hits in these seconds are enough for it if none of them come in bursts. */
    public static boolean possible(Quantile quantile, long count, int seconds) {
        return enough(quantile, count) && seconds >= IndependentHits.LEAST_SECONDS;
    }

    private static String tooFew(Quantile quantile, long count) {
        return "%d of %d hits lie beyond %s, %d are needed"
                .formatted(quantile.beyondTimesThousand(count) / 1000, count, quantile.words(), LEAST_BEYOND);
    }

    private static boolean enough(Quantile quantile, long count) {
        return quantile.beyondTimesThousand(count) >= LEAST_BEYOND * 1000L;
    }
}
