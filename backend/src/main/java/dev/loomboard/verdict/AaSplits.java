package dev.loomboard.verdict;

import dev.loomboard.stats.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * How often equal cells are called different: trials of one cell are drawn at random, half of them are called the baseline
 * and half the candidate, and the two are judged as a run of two cells is. Whatever is said of them but
 * {@code equivalent} and {@code inconclusive} is false.
 *
 * @param metrics one family
 * @param verdicts how many splits got which, by metric
 * @param without splits in which a metric got none
 * @param wrong splits in which at least one metric was called faster or slower
 */
public record AaSplits(
        List<String> metrics, int splits, Map<String, Map<Verdict, Integer>> verdicts, int without, int wrong) {

    private static final long BASELINE = 1;
    private static final long CANDIDATE = 2;

    /**
     * @param trials that can all be used, of one cell, at least twice {@code side}
     * @param side trials that a side gets
     * @param seed of {@link Random}, whose numbers are specified
     */
    public static AaSplits of(List<RunTrial> trials, List<String> metrics, int splits, int side, long seed) {
        if (side < 1 || trials.size() < 2 * side) {
            throw new IllegalArgumentException(
                    "%d trials cannot be split into two times %d".formatted(trials.size(), side));
        }
        List<Judge.Test> tests = new ArrayList<>();
        metrics.forEach(
                metric -> tests.add(new Judge.Test(tests.size(), TestDimension.JDK, BASELINE, CANDIDATE, metric)));
        Map<String, Map<Verdict, Integer>> verdicts = new LinkedHashMap<>();
        metrics.forEach(metric -> verdicts.put(metric, new EnumMap<>(Verdict.class)));
        List<RunTrial> drawn = new ArrayList<>(trials);
        Random random = new Random(seed);
        int wrong = 0;
        int without = 0;
        for (int i = 0; i < splits; i++) {
            Collections.shuffle(drawn, random);
            List<Outcome> outcomes = Judge.of(tests, sides(drawn, side));
            boolean differs = false;
            for (int m = 0; m < metrics.size(); m++) {
                Verdict verdict = outcomes.get(m).verdict();
                if (verdict == null) {
                    without++;
                } else {
                    verdicts.computeIfAbsent(metrics.get(m), metric -> new EnumMap<>(Verdict.class))
                            .merge(verdict, 1, Integer::sum);
                    differs |= verdict == Verdict.FASTER || verdict == Verdict.SLOWER;
                }
            }
            wrong += differs ? 1 : 0;
        }
        return new AaSplits(List.copyOf(metrics), splits, verdicts, without, wrong);
    }

    private static List<RunTrial> sides(List<RunTrial> drawn, int side) {
        List<RunTrial> sides = new ArrayList<>();
        for (int i = 0; i < side; i++) {
            sides.add(drawn.get(i).at(BASELINE, i + 1));
            sides.add(drawn.get(side + i).at(CANDIDATE, i + 1));
        }
        return sides;
    }

    public int of(String metric, Verdict verdict) {
        return of(metric).getOrDefault(verdict, 0);
    }

    private Map<Verdict, Integer> of(String metric) {
        return Objects.requireNonNull(verdicts.get(metric), metric);
    }

    /** Of the verdicts on this metric, those that are false. */
    public double falsely(String metric) {
        int said = of(metric).values().stream().mapToInt(Integer::intValue).sum();
        return said == 0 ? Double.NaN : (of(metric, Verdict.FASTER) + of(metric, Verdict.SLOWER)) / (double) said;
    }
}
