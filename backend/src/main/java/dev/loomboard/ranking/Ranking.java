package dev.loomboard.ranking;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Standing;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Ranks;
import dev.loomboard.stats.RunSpread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The ranks of one board: each standing is ranked by itself, so that what is provisional moves no rank. */
final class Ranking {

    private Ranking() {}

    /**
     * @param entry internal key
     * @param cell internal key
     * @param machine internal key
     * @param metric the headline, the same of all that share a scenario
     * @param trials its values, in trial order
     */
    record Candidate(long entry, long cell, long machine, Standing standing, String metric, List<Double> trials) {
        Candidate {
            trials = List.copyOf(trials);
        }
    }

    /**
     * @param nearest cells that it cannot be distinguished from, the nearest first
     * @param runSpread that it was ranked with
     * @param spreadAssumed its machine's own is not known yet
     */
    record Ranked(
            long entry,
            int best,
            int worst,
            int entries,
            List<Long> nearest,
            double runSpread,
            boolean spreadAssumed) {}

    /**
     * @param candidates always in the same order: ranks of a bootstrap depend on it in their last digits
     * @param spreads of the metric from run to run, by machine; one that is absent is assumed
     */
    static List<Ranked> of(List<Candidate> candidates, Map<Long, RunSpread> spreads) {
        Map<Standing, List<Candidate>> together = new LinkedHashMap<>();
        for (Candidate candidate : candidates) {
            together.computeIfAbsent(candidate.standing(), standing -> new ArrayList<>())
                    .add(candidate);
        }
        List<Ranked> ranked = new ArrayList<>();
        together.values().forEach(group -> ranked.addAll(group(group, spreads)));
        return ranked;
    }

    private static List<Ranked> group(List<Candidate> group, Map<Long, RunSpread> spreads) {
        Metric metric = Metrics.all().get(group.getFirst().metric());
        List<Ranks.Range> ranges = Ranks.of(
                margin(metric),
                metric.direction(),
                group.stream()
                        .map(c -> new Ranks.Entry(
                                c.trials(), c.machine(), spread(c, spreads).spread()))
                        .toList());
        List<Ranked> ranked = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
            Ranks.Range range = ranges.get(i);
            RunSpread spread = spread(group.get(i), spreads);
            ranked.add(new Ranked(
                    group.get(i).entry(),
                    range.best(),
                    range.worst(),
                    group.size(),
                    range.tied().stream().map(k -> group.get(k).cell()).toList(),
                    spread.spread(),
                    spread.assumed()));
        }
        return ranked;
    }

    private static RunSpread spread(Candidate candidate, Map<Long, RunSpread> spreads) {
        return spreads.getOrDefault(candidate.machine(), RunSpread.ASSUMED);
    }

    /** As of a verdict: smaller differences order nothing. */
    private static Margin margin(Metric metric) {
        return new Margin(
                metric.scale(),
                Objects.requireNonNull(metric.delta(), metric.name()),
                metric.percentile() ? Margin.LATENCY_FLOOR_MS : 0);
    }
}
