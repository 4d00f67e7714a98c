package dev.loomboard.regression;

import dev.loomboard.matrix.MatrixSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which suspects one rerun takes up: those of the newest origin, most significant first, as long as it stays short enough
 * for a night. The others wait for the next.
 *
 * @param groups the cells it measures, each on both builds
 */
record FollowUp(List<Suspect> suspects, Set<String> groups) {

    /** What a rerun takes at most, roughly; one cell it takes whatever that costs. */
    static final double MOST_SECONDS = 6 * 3600;

    private static final int BUILDS = 2;

    FollowUp {
        suspects = List.copyOf(suspects);
        groups = Set.copyOf(groups);
    }

    /** Suspects of one origin: that of the newest. */
    static List<Suspect> together(List<Suspect> waiting) {
        Suspect newest = waiting.stream()
                .max(Comparator.comparing(Suspect::detectedAt).thenComparing(Suspect::key))
                .orElseThrow();
        return waiting.stream()
                .filter(s -> s.origin().equals(newest.origin()))
                .sorted(Comparator.comparingDouble(Suspect::p).thenComparing(Suspect::key))
                .toList();
    }

    /** @param together not empty, of one origin, most significant first */
    static FollowUp of(List<Suspect> together, MatrixSpec spec) {
        Set<String> groups = new TreeSet<>();
        double seconds = 0;
        for (Suspect suspect : together) {
            double more = groups.contains(suspect.group()) ? 0 : BUILDS * spec.longestSecondsOfCell(suspect.load());
            if (groups.isEmpty() || seconds + more <= MOST_SECONDS) {
                groups.add(suspect.group());
                seconds += more;
            }
        }
        List<Suspect> taken = new ArrayList<>(together);
        taken.removeIf(s -> !groups.contains(s.group()));
        return new FollowUp(taken, groups);
    }

    /**
     * As the suspects' run was, with as many paired blocks as the next look of them all needs, and diagnosed once, at the first
     * look, if it was diagnosed at all.
     */
    static MatrixSpec spec(MatrixSpec of, List<Suspect> together) {
        int blocks = together.stream().mapToInt(Suspect::further).max().orElseThrow();
        boolean first = together.getFirst().origin().looks() == 0;
        return of.with(
                new MatrixSpec.Trials(blocks, first ? Math.min(1, of.trials().diagnostic()) : 0));
    }

    List<Long> keys() {
        return suspects.stream().map(Suspect::key).collect(Collectors.toList());
    }
}
