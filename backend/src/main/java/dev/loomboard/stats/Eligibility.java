package dev.loomboard.stats;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a percentile of one trial may be judged (STATISTICS §1, 4).
 *
 * @param reason why not, in words; null: it may
 */
public record Eligibility(boolean eligible, @Nullable String reason) {

    /** Hits that must lie beyond a percentile. */
    public static final int LEAST_BEYOND = 100;
    /** Episodes that those hits must come from: one long stall is one observation, however many hits it catches. */
    public static final int LEAST_EPISODES = 10;

    private static final Eligibility YES = new Eligibility(true, null);

    /**
     * @param count all hits of the step
     * @param episodes seconds of it in which some hits lay beyond the percentile and some did not
     */
    public static Eligibility of(Quantile quantile, long count, int episodes) {
        List<String> reasons = new ArrayList<>();
        long beyond = quantile.beyondTimesThousand(count);
        if (beyond < LEAST_BEYOND * 1000L) {
            reasons.add("%d of %d hits lie beyond %s, %d are needed"
                    .formatted(beyond / 1000, count, quantile.words(), LEAST_BEYOND));
        }
        if (episodes < LEAST_EPISODES) {
            reasons.add("the hits beyond %s come from %d %s, %d are needed"
                    .formatted(quantile.words(), episodes, episodes == 1 ? "episode" : "episodes", LEAST_EPISODES));
        }
        return reasons.isEmpty() ? YES : new Eligibility(false, String.join("; ", reasons));
    }
}
