package dev.loomboard.bisection;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.Internal;
import dev.loomboard.stats.bisection.Bisection;
import dev.loomboard.stats.bisection.TwoChanges;
import dev.loomboard.view.Format;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The newest bisection of a change, as it is shown.
 *
 * @param id external id
 * @param reason why it ended; null: it has not
 * @param builds from the last good one to the first of the new level
 * @param steps in their order
 */
public record BisectionView(
        Internals internals,
        String id,
        BisectionStatus state,
        @Nullable String reason,
        Instant startedAt,
        @Nullable Instant endedAt,
        List<Jdk> builds,
        @JsonUnwrapped BisectionCost cost,
        List<Step> steps) {

    /** Less is not listed by name. */
    private static final double NAMED = 0.01;

    private static final int MOST_NAMED = 6;

    /**
     * What JSON leaves out.
     *
     * @param change internal key
     * @param two whether one change explains the steps; null: the last build was not measured once more, as in those of before there was that
     */
    record Internals(
            long change, String startedBy, @Nullable TwoChanges two) implements Internal {}

    /**
     * @param build place in the range
     * @param run external id; null: none could be queued
     * @param reason why it is invalid
     * @param effect the build ÷ the last good one, with its 95 % interval; null: not measured
     * @param posterior after it, for each build but the first; null: it changed no belief
     */
    public record Step(
            int ordinal,
            int build,
            @Nullable String run,
            StepStatus state,
            @Nullable Integer blocks,
            @Nullable Double effect,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable String reason,
            @Nullable List<Double> posterior) {

        /** What was measured, as changes. */
        public String words() {
            return switch (state) {
                case QUEUED -> "in progress";
                case MEASURED ->
                    effect == null || low == null || high == null
                            ? ""
                            : Format.change(effect) + " (95 %: " + Format.change(low) + " to " + Format.change(high)
                                    + ")";
                case INVALID -> "invalid: " + reason;
            };
        }
    }

    /** A build with how probable it is that the change came with it. */
    public record Believed(Jdk build, double posterior) {

        public String words() {
            return BisectionView.words(posterior);
        }
    }

    public long change() {
        return internals.change();
    }

    public String startedBy() {
        return internals.startedBy();
    }

    @Nullable
    TwoChanges two() {
        return internals.two();
    }

    public boolean running() {
        return state == BisectionStatus.RUNNING;
    }

    public Jdk build(Step step) {
        return builds.get(step.build());
    }

    /** For each build but the first, as of the last step that was measured. */
    private List<Double> posterior() {
        return steps.stream()
                .map(Step::posterior)
                .filter(p -> p != null)
                .reduce((a, b) -> b)
                .orElseGet(() -> Collections.nCopies(builds.size() - 1, 1.0 / (builds.size() - 1)));
    }

    /** All builds that may have brought it, in the order of the history. */
    @JsonProperty
    public List<Believed> believed() {
        return believed(IntStream.range(1, builds.size()).boxed().toList(), posterior());
    }

    /** The smallest set that holds 95 %, the most probable first. */
    @JsonProperty
    public List<Believed> credible() {
        return believed(Bisection.credible(posterior()), posterior());
    }

    /** Those that are worth a line. */
    public List<Believed> listed() {
        return believed().stream().filter(b -> b.posterior() >= NAMED).toList();
    }

    private List<Believed> believed(List<Integer> places, List<Double> posterior) {
        return places.stream()
                .map(i -> new Believed(builds.get(i), posterior.get(i - 1)))
                .toList();
    }

    /** What the builds of a step's credible set are. */
    public String after(Step step) {
        return step.posterior() == null ? "" : named(believed(Bisection.credible(step.posterior()), step.posterior()));
    }

    /** If there are two changes, the smallest set of builds that holds 95 % for the first of them; empty: it is not known whether. */
    List<Believed> first() {
        TwoChanges two = two();
        return two == null ? List.of() : believed(Bisection.credible(two.first()), two.first());
    }

    List<Believed> second() {
        TwoChanges two = two();
        return two == null ? List.of() : believed(Bisection.credible(two.second()), two.second());
    }

    /** What is known, in a sentence or two. */
    @JsonProperty
    public String sentence() {
        TwoChanges two = two();
        if (two != null && two.likely()) {
            return "One change does not explain the measurements. Two are more probable (posterior "
                    + words(two.posterior()) + "): the first with " + named(first()) + ", the second with "
                    + named(second()) + ".";
        }
        return one() + (running() ? "" : checked());
    }

    private String one() {
        List<Believed> credible = credible();
        if (credible.size() == 1) {
            Believed one = credible.getFirst();
            return "The change came with build " + one.build().shortVersion() + " (posterior " + one.words() + ").";
        }
        double mass = credible.stream().mapToDouble(Believed::posterior).sum();
        String together = named(credible) + ", together " + Format.three(mass);
        return running()
                ? "Not known yet; still credible: " + together + "."
                : "The change came with one of " + credible.size() + " builds: " + together + "; not distinguishable: "
                        + reason + ".";
    }

    private String checked() {
        TwoChanges two = two();
        return two == null
                ? " It was not checked whether this is one change: the last build was not measured again."
                : " Two changes have a posterior of " + words(two.posterior()) + ".";
    }

    private static String words(double posterior) {
        return posterior > 0.999 ? "> 0.999" : posterior < 0.001 ? "< 0.001" : Format.three(posterior);
    }

    private static String named(List<Believed> believed) {
        String named = believed.stream()
                .limit(MOST_NAMED)
                .map(b -> b.build().shortVersion() + " (" + b.words() + ")")
                .collect(Collectors.joining(", "));
        return believed.size() <= MOST_NAMED ? named : named + " and " + (believed.size() - MOST_NAMED) + " more";
    }

    /** What came of it. */
    public String stateWords() {
        String made = Format.of(steps.size(), "step") + " of at most " + cost.mostSteps();
        return running()
                ? "in progress, " + made
                : state.wire() + " after " + made + (reason == null ? "" : ": " + reason);
    }
}
