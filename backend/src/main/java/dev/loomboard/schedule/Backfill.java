package dev.loomboard.schedule;

import dev.loomboard.jdk.JdkBuild;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A build that a schedule missed, measured beside the one before it.
 *
 * @param build newer than what the schedule measured last, and older than what it would measure now
 */
record Backfill(JdkBuild build, JdkBuild before) {

    private static final Comparator<JdkBuild> OLDEST_FIRST = JdkBuild.NEWEST_FIRST.reversed();

    /** What a run of it selects in place of the schedule's selectors. */
    List<String> selectors() {
        return List.of(build.slug(), before.slug());
    }

    /** "temurin-28-ea-17, which it missed, beside temurin-28-ea-16". */
    String words() {
        return build.slug() + ", which it missed, beside " + before.slug();
    }

    /** Builds that follow one another: a feature's releases, or its early access, of one vendor. */
    static boolean alike(JdkBuild a, JdkBuild b) {
        return a.vendor().equals(b.vendor())
                && a.feature() == b.feature()
                && a.availability() == b.availability()
                && a.architecture().equals(b.architecture());
    }

    /**
     * The oldest missed build; empty: none is missed. Of more than {@code most} only the newest count, and none is tried twice.
     *
     * @param wanted what a firing would measure now, newest first
     * @param present on the machine
     * @param measured keys of the builds that the schedule measured
     * @param tried keys of the builds that were backfilled, whatever came of it
     */
    static Optional<Backfill> next(
            int most, List<JdkBuild> wanted, List<JdkBuild> present, Set<Long> measured, Set<Long> tried) {
        return wanted.stream()
                .map(newest -> present.stream()
                        .filter(b -> alike(b, newest) && JdkBuild.NEWEST_FIRST.compare(newest, b) <= 0)
                        .sorted(OLDEST_FIRST)
                        .toList())
                .flatMap(line -> next(most, line, measured, tried).stream())
                .findFirst();
    }

    /** @param line oldest first, up to the one that would be measured now */
    private static Optional<Backfill> next(int most, List<JdkBuild> line, Set<Long> measured, Set<Long> tried) {
        int last = line.size() - 1;
        while (last >= 0 && !measured.contains(line.get(last).key())) {
            last--;
        }
        if (last < 0) {
            return Optional.empty(); // it has no history to be completed
        }
        for (int i = Math.max(last + 1, line.size() - 1 - most); i < line.size() - 1; i++) {
            if (!tried.contains(line.get(i).key())) {
                return Optional.of(new Backfill(line.get(i), line.get(i - 1)));
            }
        }
        return Optional.empty();
    }
}
