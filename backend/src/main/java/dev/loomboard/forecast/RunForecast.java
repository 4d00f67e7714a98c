package dev.loomboard.forecast;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.expansion.Expansion;
import dev.loomboard.expansion.TrialSeconds;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.view.Format;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run would be.
 *
 * @param nothing why there is nothing to run, in a sentence; null: there is
 * @param builds in the order of the matrix, those without a JVM left out
 * @param further scored trials that its cells may get beyond these, all together; null: none
 * @param seconds that it takes, roughly
 * @param longestSeconds that it takes at most, roughly
 * @param timed whether {@code seconds} are what the machine's trials of all its loads took
 * @param notices what is left out and why, and which selectors match nothing
 * @param power empty: it compares no two builds
 */
public record RunForecast(
        @Nullable String nothing,
        List<Build> builds,
        int cells,
        int scored,
        int diagnostic,
        @Nullable Integer further,
        double seconds,
        double longestSeconds,
        boolean timed,
        String protocol,
        List<String> notices,
        List<MetricPower> power) {

    public RunForecast {
        builds = List.copyOf(builds);
        notices = List.copyOf(notices);
        power = List.copyOf(power);
    }

    /** @param control it stays from night to night */
    public record Build(String slug, boolean control) {}

    /** @param control internal key; null: there is none */
    static RunForecast of(
            MatrixSpec spec,
            Expansion.Result laidOut,
            @Nullable Long control,
            TrialSeconds taken,
            Map<SeriesSpread.Key, SeriesSpread> spreads) {
        return switch (laidOut) {
            case Expansion.Nothing nothing -> nothing(spec, nothing);
            case Expansion.Expanded(Expansion expansion) -> {
                int scored = count(expansion, TrialKind.SCORED);
                yield new RunForecast(
                        null,
                        expansion.cells().stream()
                                .map(cell -> cell.jdk())
                                .filter(jdk -> !jdk.equals(JdkBuild.NONE))
                                .distinct()
                                .map(jdk -> new Build(jdk.slug(), control != null && jdk.key() == control))
                                .toList(),
                        expansion.cells().size(),
                        scored,
                        expansion.trials().size() - scored,
                        spec.trials().further(),
                        taken.all(expansion),
                        expansion.longestSeconds(spec),
                        expansion.cells().stream()
                                .allMatch(cell -> taken.taken()
                                        .containsKey(cell.scenario().load())),
                        spec.protocol(),
                        expansion.notices(),
                        MetricPower.of(expansion.cells(), spec.trials().scored(), spreads));
            }
        };
    }

    private static RunForecast nothing(MatrixSpec spec, Expansion.Nothing nothing) {
        return new RunForecast(
                nothing.reason(), List.of(), 0, 0, 0, null, 0, 0, false, spec.protocol(), nothing.notices(), List.of());
    }

    private static int count(Expansion expansion, TrialKind kind) {
        return Math.toIntExact(
                expansion.trials().stream().filter(t -> t.kind() == kind).count());
    }

    /** "8 cells, 24 trials in processes of their own". */
    public String size() {
        String trials = Format.of(cells, "cell") + ", " + Format.of((long) scored + diagnostic, "trial")
                + ", each with a server started for it";
        String diagnosed = diagnostic == 0 ? "" : "; " + Format.of(diagnostic, "trial") + " of these diagnostic";
        return trials
                + diagnosed
                + (further == null
                        ? ""
                        : "; then up to " + Format.of(further, "further trial") + " where they help most");
    }

    /** What it takes, as well as that is known. */
    public double likelySeconds() {
        return timed ? seconds : longestSeconds;
    }

    /** How long it takes, and how that is known. */
    public String length() {
        return timed
                ? "about " + words(seconds) + ", as long as the machine's last trials of " + protocol
                        + " took; at most about " + words(longestSeconds)
                : "at most about " + words(longestSeconds) + "; the machine has not yet timed a trial of " + protocol
                        + " at each of these loads";
    }

    /** By what the changes that would be found were computed, in sentences. */
    public String assumption() {
        MetricPower first = power.getFirst();
        int series = power.stream().mapToInt(MetricPower::series).sum();
        int measured = power.stream().mapToInt(MetricPower::measured).sum();
        String known = measured == series
                ? "The spread of launches is that of the machine's last runs of " + protocol + "."
                : (measured == 0
                                ? "No series was measured often enough on the machine, so launches"
                                : "The spread is measured for " + measured + " of " + series
                                        + " series on the machine; launches of the others")
                        + " are assumed to vary by " + Format.percent(SeriesSpread.ASSUMED) + ".";
        return known + " Adjusted within the family of " + Format.of(first.family(), "test") + ", with "
                + Format.of(first.blocks(), "block") + " for each.";
    }

    /** The metrics of the power by their titles. */
    public static String title(String metric) {
        return Metrics.all().get(metric).title();
    }

    private static String words(double seconds) {
        return Format.duration(Duration.ofSeconds(Math.round(seconds)));
    }
}
