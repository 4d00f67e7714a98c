package dev.loomboard.trial;

import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
    private static final List<String> ORDER =
            List.of("provision", "start", "verify", "warmup", "gc", "settle", "rewarm", "measure", "stop", "collect");

    /** @param from where it begins in the strip; @param width of it */
    public record Stretch(String phase, double from, double width, String words) {}

    public record Sum(String phase, String seconds) {}

    /** @param verdict steady, drift or no_steady_state; @param unmet what was lacking when caps ended phases */
    public record Steadiness(
            String criterion,
            String verdict,
            @Nullable String drift,
            @Nullable String warmupSeconds,
            List<String> unmet) {
        public String words() {
            return switch (verdict) {
                case "steady" -> "steady";
                case "drift" -> "drifted while measured";
                default -> "no steady state";
            };
        }
    }

    /** While a trial runs, its last phase has no end yet and is left out. */
    static PhaseStrip of(TrialDetail trial) {
        List<TrialDetail.PhaseEntry> entries = trial.phases();
        JsonNode told = trial.endFacts().path("phaseSeconds");
        double end = 0;
        for (JsonNode seconds : told) {
            end += seconds.asDouble();
        }
        double last = entries.isEmpty() ? 0 : entries.getLast().seconds();
        double whole = Math.max(end, last);
        List<Stretch> stretches = new ArrayList<>();
        for (int i = 0; i < entries.size() && whole > 0; i++) {
            double from = entries.get(i).seconds();
            double to = i + 1 < entries.size() ? entries.get(i + 1).seconds() : whole;
            if (to > from) {
                String phase = entries.get(i).phase();
                stretches.add(new Stretch(
                        phase,
                        from / whole * WIDTH,
                        (to - from) / whole * WIDTH,
                        phase + ", " + Format.three(to - from) + " s"));
            }
        }
        return new PhaseStrip(
                WIDTH, stretches, sums(told), steadiness(trial.endFacts().path("steady")));
    }

    private static List<Sum> sums(JsonNode told) {
        return ORDER.stream()
                .filter(phase -> told.path(phase).isNumber())
                .map(phase -> new Sum(phase, Format.three(told.path(phase).asDouble())))
                .toList();
    }

    private static @Nullable Steadiness steadiness(JsonNode steady) {
        if (!steady.isObject()) {
            return null;
        }
        List<String> unmet = new ArrayList<>();
        for (JsonNode phase : steady.path("phases")) {
            for (JsonNode why : phase.path("unmet")) {
                unmet.add(phase.path("phase").asString() + ": " + why.asString());
            }
        }
        JsonNode drift = steady.path("drift");
        JsonNode warmup = steady.path("warmupMs");
        return new Steadiness(
                steady.path("criterion").asString(),
                steady.path("verdict").asString(),
                drift.isString() ? drift.asString() : null,
                warmup.isNumber() ? Format.three(warmup.asDouble() / 1000) : null,
                List.copyOf(unmet));
    }
}
