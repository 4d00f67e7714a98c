package dev.loomboard.verdict;

import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many verdicts of each kind two builds have, over all their cells and metrics: no filter changes it. */
public record VerdictCounts(
        int slower, int faster, int failsMore, int failsLess, int equivalent, int inconclusive, int none) {

    /** @param verdicts null: none */
    public static VerdictCounts of(List<? extends @Nullable Verdict> verdicts) {
        return new VerdictCounts(
                Collections.frequency(verdicts, Verdict.SLOWER),
                Collections.frequency(verdicts, Verdict.FASTER),
                Collections.frequency(verdicts, Verdict.FAILS_MORE),
                Collections.frequency(verdicts, Verdict.FAILS_LESS),
                Collections.frequency(verdicts, Verdict.EQUIVALENT),
                Collections.frequency(verdicts, Verdict.INCONCLUSIVE),
                Collections.frequency(verdicts, null));
    }

    /** Such as "2 slower, 1 faster, 4 equivalent, 5 inconclusive of 12 cells × metrics". */
    public String words() {
        int all = slower + faster + failsMore + failsLess + equivalent + inconclusive + none;
        String of = " of " + all + (all == 1 ? " cell × metric" : " cells × metrics");
        if (none == all) {
            return "No verdict on any" + of;
        }
        List<String> parts = new ArrayList<>();
        part(parts, slower, "slower");
        part(parts, faster, "faster");
        part(parts, failsMore, Verdict.FAILS_MORE.word());
        part(parts, failsLess, Verdict.FAILS_LESS.word());
        part(parts, equivalent, "equivalent");
        part(parts, inconclusive, "inconclusive");
        part(parts, none, "without a verdict");
        return String.join(", ", parts) + of;
    }

    private static void part(List<String> parts, int count, String what) {
        if (count > 0) {
            parts.add(count + " " + what);
        }
    }
}
