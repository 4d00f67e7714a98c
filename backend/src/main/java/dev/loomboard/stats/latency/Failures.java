package dev.loomboard.stats.latency;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Hits that got no complete and right answer, as a share of what was offered ({@code /methodology#load}). */
public final class Failures {

    /** When a side has a larger share, its other numbers are not judged and do not rank: those of a server that sheds load are good. */
    public static final double MOST = 0.001;

    private Failures() {}

    /**
     * Why nothing else of a side may be judged; empty: it may.
     *
     * @param shares of its trials, which all had the same load
     */
    public static Optional<String> gate(List<Double> shares) {
        double share = shares.stream().mapToDouble(s -> s).average().orElse(0);
        return share > MOST ? Optional.of(words(share) + " of its hits failed") : Optional.empty();
    }

    /** Such as 2.3 %. */
    public static String words(double share) {
        return String.format(Locale.ROOT, share < 0.01 ? "%.2f %%" : "%.1f %%", share * 100);
    }
}
