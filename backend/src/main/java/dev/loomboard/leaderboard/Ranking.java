package dev.loomboard.leaderboard;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Standing;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.Ranks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ranks of one board: each standing is ranked by itself, so that what is provisional moves no rank. */
final class Ranking {

    /** Names that a sentence can take; the range itself says how many there are. */
    private static final int NEAREST = 3;

    private Ranking() {}

    /**
     * @param entry internal key
     * @param cell internal key
     * @param metric the headline, the same of all that share a scenario
     * @param trials its values, in trial order
     */
    record Candidate(long entry, long cell, Standing standing, String metric, List<Double> trials) {
        Candidate {
            trials = List.copyOf(trials);
        }
    }

    /** @param nearest cells that it cannot be told apart from, the nearest few */
    record Ranked(long entry, int best, int worst, int entries, List<Long> nearest) {}

    /** @param candidates always in the same order: ranks of a bootstrap depend on it in their last digits */
    static List<Ranked> of(List<Candidate> candidates) {
        Map<Standing, List<Candidate>> together = new LinkedHashMap<>();
        for (Candidate candidate : candidates) {
            together.computeIfAbsent(candidate.standing(), standing -> new ArrayList<>())
                    .add(candidate);
        }
        List<Ranked> ranked = new ArrayList<>();
        together.values().forEach(group -> ranked.addAll(group(group)));
        return ranked;
    }

    private static List<Ranked> group(List<Candidate> group) {
        Metric metric = Metrics.all().get(group.getFirst().metric());
        List<Ranks.Range> ranges = Ranks.of(
                metric.scale(),
                Better.of(metric.better()).orElseThrow(),
                group.stream().map(Candidate::trials).toList());
        List<Ranked> ranked = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
            Ranks.Range range = ranges.get(i);
            ranked.add(new Ranked(
                    group.get(i).entry(),
                    range.best(),
                    range.worst(),
                    group.size(),
                    range.tied().stream()
                            .limit(NEAREST)
                            .map(k -> group.get(k).cell())
                            .toList()));
        }
        return ranked;
    }
}
