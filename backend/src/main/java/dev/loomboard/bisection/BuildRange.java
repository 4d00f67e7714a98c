package dev.loomboard.bisection;

import dev.loomboard.cell.Jdk;
import dev.loomboard.regression.Regression;
import dev.loomboard.stats.bisection.Bisection;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The builds from the last good one to the first of the new level, in the order of the history, as far as the service
 * knows them.
 *
 * @param builds with both ends; empty: the two have no order
 */
record BuildRange(List<Build> builds) {

    /**
     * @param key internal key
     * @param present on the machine of the regression
     * @param comesAgain it was, and the machine's JDK provider can bring it again
     */
    record Build(long key, Jdk jdk, boolean present, boolean comesAgain) {
        boolean available() {
            return present || comesAgain;
        }
    }

    BuildRange {
        builds = List.copyOf(builds);
    }

    private List<Build> between() {
        return builds.size() < 2 ? List.of() : builds.subList(1, builds.size() - 1);
    }

    /** What can be searched: both ends, and what the machine has between them, or had and can have again. */
    List<Build> searched() {
        return builds.stream()
                .filter(b -> b.available() || b == builds.getFirst() || b == builds.getLast())
                .toList();
    }

    /** @param trialSeconds of the rerun in the mean; null: not known */
    BisectionPlan plan(Regression regression, @Nullable Double trialSeconds) {
        String reason = reason(regression);
        Outcome rerun = regression.rerun() == null ? null : regression.rerun().outcome();
        Bisection.Blocks measured = rerun == null ? null : blocks(rerun);
        if (reason == null && (measured == null || trialSeconds == null)) {
            reason = "no rerun showed a difference between the two builds, and a bisection needs its effect and spread";
        }
        if (reason != null || measured == null || trialSeconds == null) {
            return new BisectionPlan(between().size(), 0, 0, null, 0, 0, 0, reason);
        }
        Bisection bisection = Bisection.of(measured, searched().size());
        return new BisectionPlan(
                between().size(),
                searched().size() - 2,
                (int) searched().stream().filter(Build::comesAgain).count(),
                trialSeconds,
                bisection.blocks(),
                bisection.expectedSteps(),
                bisection.mostSteps(),
                null);
    }

    /** Of a rerun that told both builds apart; null: it did not. */
    static Bisection.@Nullable Blocks blocks(Outcome rerun) {
        boolean apart = rerun.verdict() == Verdict.SLOWER || rerun.verdict() == Verdict.FASTER;
        return !apart
                        || rerun.found().effect() == null
                        || rerun.found().low() == null
                        || rerun.found().high() == null
                ? null
                : Bisection.Blocks.of(
                        rerun.blocks(),
                        rerun.found().effect(),
                        rerun.found().low(),
                        rerun.found().high());
    }

    private @Nullable String reason(Regression regression) {
        String good = regression.good().slug();
        String bad = regression.build().slug();
        if (regression.retracted() != null) {
            return "it was measured with a retracted version";
        }
        if (regression.shift().distribution()) {
            return good + " and " + bad + " have different lineages, so no build lies between them";
        }
        if (between().isEmpty()) {
            return "the range cannot be narrowed: this service knows no build between " + good + " and " + bad;
        }
        if (between().stream().noneMatch(Build::available)) {
            return between().size() == 1
                    ? "the machine does not have the one build between " + good + " and " + bad
                    : "the machine has none of the " + between().size() + " builds between " + good + " and " + bad;
        }
        return builds.getFirst().available() ? null : good + " is no longer on the machine";
    }
}
