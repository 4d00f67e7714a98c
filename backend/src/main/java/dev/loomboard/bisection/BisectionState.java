package dev.loomboard.bisection;

import dev.loomboard.stats.bisection.Bisection;
import dev.loomboard.stats.bisection.TwoChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A bisection that is under way, and what is to be done next.
 *
 * @param names of its builds, the last good one first
 * @param steps that are over, in their order
 */
public record BisectionState(Bisection bisection, List<String> names, int mostSteps, List<Step> steps) {

    /** A build that could not be measured so often is left out. */
    public static final int MOST_INVALID = 2;

    /**
     * @param build place in the range
     * @param measured null: it is invalid, for {@code reason}
     */
    record Step(
            int build,
            Bisection.@Nullable Blocks measured,
            @Nullable String reason) {}

    /** What is to be done. */
    sealed interface Next {}

    record Measure(int build) implements Next {}

    /** @param reason why no further step is made */
    record End(String reason) implements Next {}

    List<Double> posterior() {
        return bisection.posterior(measured());
    }

    /** Whether there are two changes; null: the last build was not measured once more, so it cannot be said. */
    @Nullable
    TwoChanges twoChanges() {
        return twoChanges(bisection.belief(measured()));
    }

    private @Nullable TwoChanges twoChanges(Bisection.Belief belief) {
        return checked() ? belief.two().orElse(null) : null;
    }

    private List<Bisection.Step> measured() {
        List<Bisection.Step> measured = new ArrayList<>();
        for (Step step : steps) {
            if (step.measured() != null) {
                measured.add(new Bisection.Step(step.build(), step.measured()));
            }
        }
        return measured;
    }

    private boolean checked() {
        return steps.stream().anyMatch(s -> s.build() == bisection.lastBuild() && s.measured() != null);
    }

    /** The same once a step more was measured. */
    BisectionState with(Step step) {
        List<Step> more = new ArrayList<>(steps);
        more.add(step);
        return new BisectionState(bisection, names, mostSteps, List.copyOf(more));
    }

    /** The search, then the last build once more, then the search again if that has made it unsure. */
    Next next() {
        Bisection.Belief belief = bisection.belief(measured());
        Map<Integer, String> leftOut = leftOut();
        boolean check = checkLacks(leftOut);
        int left = mostSteps - steps.size();
        OptionalInt search = left <= (check ? 1 : 0) ? OptionalInt.empty() : search(belief, leftOut.keySet());
        if (search.isPresent()) {
            return new Measure(search.getAsInt());
        }
        if (check && left > 0) {
            return new Measure(bisection.lastBuild());
        }
        return new End(reason(belief, leftOut));
    }

    /** For both places, once it is as good as certain that there are two: else a level between them would be measured without end. */
    private OptionalInt search(Bisection.Belief belief, Set<Integer> leftOut) {
        return belief.two()
                .filter(TwoChanges::certain)
                .map(two -> two.next(leftOut))
                .orElseGet(() -> bisection.next(belief.posterior(), leftOut));
    }

    /** Without any other step there is nothing that the last build could be held against. */
    private boolean checkLacks(Map<Integer, String> leftOut) {
        return !checked()
                && !leftOut.containsKey(bisection.lastBuild())
                && !measured().isEmpty();
    }

    private String reason(Bisection.Belief belief, Map<Integer, String> leftOut) {
        TwoChanges two = twoChanges(belief);
        if (two != null && two.likely()) {
            return "two changes explain the measurements better than one" + because(leftOut);
        }
        if (Bisection.credible(belief.posterior()).size() == 1) {
            return "one build is left";
        }
        if (steps.size() >= mostSteps) {
            return "all " + mostSteps + " steps are used" + because(leftOut);
        }
        return leftOut.isEmpty()
                ? "no further step could distinguish them"
                : "the builds that would distinguish them could not be measured" + because(leftOut);
    }

    private static String because(Map<Integer, String> leftOut) {
        return leftOut.isEmpty() ? "" : leftOut.values().stream().collect(Collectors.joining("; ", " (", ")"));
    }

    /** Builds that could not be measured, with the last reason. */
    private Map<Integer, String> leftOut() {
        Map<Integer, String> reasons = new TreeMap<>();
        for (int build : new TreeSet<>(steps.stream().map(Step::build).toList())) {
            List<Step> invalid = steps.stream()
                    .filter(s -> s.build() == build && s.measured() == null)
                    .toList();
            if (invalid.size() >= MOST_INVALID) {
                reasons.put(
                        build,
                        names.get(build) + ", tried " + invalid.size() + " times: "
                                + invalid.getLast().reason());
            }
        }
        return reasons;
    }
}
