package dev.loomboard.trial;

import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.SteadyState;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a trial's time went: its phases one after the other, to scale, and their sums.
 *
 * @param width of the whole strip
 * @param sums seconds by phase, in the order of a trial
 * @param steady what the criteria of adaptive phases said; null: the phases had fixed times
 */
public record PhaseStrip(
        double width,
        List<Stretch> stretches,
        List<Sum> sums,
        @Nullable Steadiness steady) {

    private static final double WIDTH = 1000;

    /** @param from where it begins in the strip */
    public record Stretch(Phase phase, double from, double width, String words) {}

    public record Sum(Phase phase, String seconds) {}

    /** @param unmet what was lacking when caps ended phases */
    public record Steadiness(SteadyState state, List<String> unmet) {
        public String words() {
            return switch (state.verdict()) {
                case STEADY -> "steady";
                case DRIFT -> "drifted while measured";
                case NO_STEADY_STATE -> "no steady state";
            };
        }

        public @Nullable String warmupSeconds() {
            return state.warmupMs() == null ? null : Format.three(state.warmupMs() / 1000);
        }
    }

    /** While a trial runs, its last phase has no end yet and is left out. */
    static PhaseStrip of(TrialDetail trial) {
        List<TrialDetail.PhaseEntry> entries = trial.measured().phases();
        Map<String, Double> told = trial.facts().endFacts().read().phaseSeconds();
        double end = 0;
        for (double seconds : told.values()) {
            end += seconds;
        }
        double last = entries.isEmpty() ? 0 : entries.getLast().seconds();
        double whole = Math.max(end, last);
        List<Stretch> stretches = new ArrayList<>();
        for (int i = 0; i < entries.size() && whole > 0; i++) {
            double from = entries.get(i).seconds();
            double to = i + 1 < entries.size() ? entries.get(i + 1).seconds() : whole;
            if (to > from) {
                Phase phase = entries.get(i).phase();
                stretches.add(new Stretch(
                        phase,
                        from / whole * WIDTH,
                        (to - from) / whole * WIDTH,
                        phase.words() + ", " + Format.three(to - from) + " s"));
            }
        }
        return new PhaseStrip(
                WIDTH,
                stretches,
                sums(told),
                steadiness(trial.facts().endFacts().read().steady()));
    }

    private static List<Sum> sums(Map<String, Double> told) {
        List<Sum> sums = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            Optional.ofNullable(told.get(phase.wire()))
                    .ifPresent(seconds -> sums.add(new Sum(phase, Format.three(seconds))));
        }
        return sums;
    }

    private static @Nullable Steadiness steadiness(@Nullable SteadyState steady) {
        return steady == null
                ? null
                : new Steadiness(
                        steady,
                        steady.phases().stream()
                                .flatMap(phase -> phase.unmet().stream()
                                        .map(why -> phase.phase().words() + ": " + why))
                                .toList());
    }
}
