package dev.loomboard.verdict;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.paired.Block;
import dev.loomboard.stats.paired.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of trials that ended, of which some cannot be used. What these would have shown is not known; the worst case is
 * (Horowitz and Manski, "Nonparametric analysis of randomized experiments with missing data", JASA 2000): that of the values
 * that were observed.
 */
record LostTrials(List<Pair> pairs) {

    /**
     * @param baseline null: lost
     * @param candidate null: lost
     */
    private record Pair(
            int look,
            int number,
            @Nullable Double baseline,
            @Nullable Double candidate) {}

    /**
     * @param numbers of the blocks' trials
     * @param looks how many blocks there are in all at each look
     */
    record Imputed(List<Block> blocks, List<Integer> numbers, List<Integer> looks) {}

    /** Each side's scored trials, in order of their numbers. */
    static LostTrials of(String metric, List<RunTrial> baseline, List<RunTrial> candidate) {
        List<Pair> pairs = new ArrayList<>();
        for (RunTrial one : baseline) {
            PairedTrials.partner(one, candidate)
                    .filter(other -> one.ended() && other.ended())
                    .ifPresent(other ->
                            pairs.add(new Pair(one.look(), one.ordinal(), value(metric, one), value(metric, other))));
        }
        return new LostTrials(List.copyOf(pairs));
    }

    private static @Nullable Double value(String metric, RunTrial trial) {
        return trial.unusable(metric) == null ? Double.valueOf(trial.value(metric)) : null;
    }

    int count() {
        return Math.toIntExact(pairs.stream()
                .flatMap(pair -> Stream.of(Optional.ofNullable(pair.baseline), Optional.ofNullable(pair.candidate)))
                .filter(Optional::isEmpty)
                .count());
    }

    /**
     * What would speak most against a verdict: each lost trial of the winner at its side's worst value, of the loser at its
     * best. Of two that are equivalent either may be the winner.
     */
    List<Imputed> against(Verdict verdict, Better better) {
        boolean higher = better == Better.HIGHER;
        return switch (verdict) {
            case FASTER, FAILS_LESS -> List.of(imputed(higher));
            case SLOWER, FAILS_MORE -> List.of(imputed(!higher));
            case EQUIVALENT -> List.of(imputed(true), imputed(false));
            case INCONCLUSIVE -> List.of();
        };
    }

    /** @param baselineHigh the baseline's lost trials at its highest value and the candidate's at its lowest; else the other way round */
    private Imputed imputed(boolean baselineHigh) {
        double baseline = extreme(pairs.stream().map(Pair::baseline), baselineHigh);
        double candidate = extreme(pairs.stream().map(Pair::candidate), !baselineHigh);
        List<Block> blocks = new ArrayList<>();
        int last = pairs.stream().mapToInt(Pair::look).max().orElse(1);
        List<Integer> looks = new ArrayList<>(Collections.nCopies(last, 0));
        for (Pair pair : pairs) {
            blocks.add(new Block(
                    Objects.requireNonNullElse(pair.baseline, baseline),
                    Objects.requireNonNullElse(pair.candidate, candidate)));
            for (int look = pair.look; look <= last; look++) {
                looks.set(look - 1, blocks.size());
            }
        }
        return new Imputed(blocks, pairs.stream().map(Pair::number).toList(), looks);
    }

    private static double extreme(Stream<@Nullable Double> values, boolean highest) {
        var known = values.filter(Objects::nonNull).mapToDouble(v -> v);
        return (highest ? known.max() : known.min()).orElseThrow();
    }
}
