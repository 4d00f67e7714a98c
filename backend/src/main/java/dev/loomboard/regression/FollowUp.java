package dev.loomboard.regression;

import dev.loomboard.expansion.TrialSeconds;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.stats.change.NightlyScreen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which suspects one rerun takes up: those of the newest origin, most significant first, as long as it stays short enough
 * for a night. The others wait for the next. What only the nightly screen raised comes after all others, and only as far as the reruns
 * of a day stay within {@link NightlyScreen#BUDGET_SECONDS}.
 *
 * @param groups the cells it measures, each on both builds
 * @param seconds that it is estimated to take
 */
record FollowUp(List<Suspect> suspects, Set<String> groups, double seconds) {

    /** The longest estimate of a look; a look always takes at least one cell. */
    static final double MOST_SECONDS = 6 * 3600;

    private static final int BUILDS = 2;

    private static final Comparator<Suspect> MOST_SIGNIFICANT =
            Comparator.comparingDouble(Suspect::p).thenComparing(Suspect::key);

    FollowUp {
        suspects = List.copyOf(suspects);
        groups = Set.copyOf(groups);
    }

    /** Suspects of one origin: that of the newest, or of the most significant where the screen alone raised them all. */
    static List<Suspect> together(List<Suspect> waiting) {
        Suspect first = waiting.stream()
                .filter(s -> !s.waits())
                .max(Comparator.comparing(Suspect::detectedAt).thenComparing(Suspect::key))
                .or(() -> waiting.stream().min(MOST_SIGNIFICANT))
                .orElseThrow();
        return waiting.stream()
                .filter(s -> s.origin().equals(first.origin()))
                .sorted(Comparator.comparing(Suspect::waits).thenComparing(MOST_SIGNIFICANT))
                .toList();
    }

    /**
     * @param together not empty, of one origin, as {@link #together} gives them
     * @param promised seconds that the reruns of the last day take, the rest of those that go on included
     * @return without suspects: the day has no time for them
     */
    static FollowUp of(List<Suspect> together, TrialSeconds trials, double promised) {
        Set<String> groups = new TreeSet<>();
        double seconds = 0;
        double day = promised;
        for (Suspect suspect : together) {
            if (groups.contains(suspect.group())) {
                continue;
            }
            double more = BUILDS * trials.cell(suspect.load());
            double whole = BUILDS * NightlyScreen.CLEARED * trials.scored(suspect.load());
            boolean waits = suspect.waits() && day > 0 && day + whole > NightlyScreen.BUDGET_SECONDS;
            if (!waits && (groups.isEmpty() || seconds + more <= MOST_SECONDS)) {
                groups.add(suspect.group());
                seconds += more;
                day += whole;
            }
        }
        List<Suspect> taken = new ArrayList<>(together);
        taken.removeIf(s -> !groups.contains(s.group()));
        return new FollowUp(taken, groups, seconds);
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
