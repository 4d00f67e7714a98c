package dev.loomboard.compare;

import dev.loomboard.stats.Verdict;
import java.util.ArrayList;
import java.util.List;

/** How many verdicts of each kind two builds have, over all their cells and metrics: no filter changes it. */
public record Tally(int slower, int faster, int equivalent, int inconclusive, int none) {

    static Tally of(List<Comparison.Pair> pairs) {
        int decided = count(pairs, Verdict.SLOWER)
                + count(pairs, Verdict.FASTER)
                + count(pairs, Verdict.EQUIVALENT)
                + count(pairs, Verdict.INCONCLUSIVE);
        return new Tally(
                count(pairs, Verdict.SLOWER),
                count(pairs, Verdict.FASTER),
                count(pairs, Verdict.EQUIVALENT),
                count(pairs, Verdict.INCONCLUSIVE),
                pairs.size() - decided);
    }

    /** Such as "2 slower, 1 faster, 4 equivalent, 5 inconclusive of 12 cells × metrics". */
    public String words() {
        int all = slower + faster + equivalent + inconclusive + none;
        String of = " of " + all + (all == 1 ? " cell × metric" : " cells × metrics");
        if (none == all) {
            return "No verdict on any" + of;
        }
        List<String> parts = new ArrayList<>();
        part(parts, slower, "slower");
        part(parts, faster, "faster");
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

    private static int count(List<Comparison.Pair> pairs, Verdict verdict) {
        return Math.toIntExact(
                pairs.stream().filter(p -> p.verdict() == verdict).count());
    }
}
