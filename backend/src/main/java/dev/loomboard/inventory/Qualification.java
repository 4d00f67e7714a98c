package dev.loomboard.inventory;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.stats.SpreadInterval;
import dev.loomboard.stats.paired.AaTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Trials of one cell against themselves on one machine. Its JSON is the wire's Qualification. What it came to is judged
 * here, whatever the agent printed.
 *
 * @param at RFC 3339
 * @param cell for people: server, variant, workload, JDK
 * @param faults why trials are missing
 * @param values by metric, in order of execution
 */
public record Qualification(
        String schema,
        String at,
        String agentVersion,
        String fingerprintHash,
        String classHash,
        String cell,
        int trials,
        List<String> faults,
        Map<String, List<Double>> values) {

    private static final String SCHEMA = "loomboard.qualification/1";
    private static final int MOST_TRIALS = 1000;

    /** The criterion qualify/1: the least number of trials, each valid, no false difference, and such a difference decidable. */
    static final int LEAST_TRIALS = 10;

    static final double DECIDABLE = 0.10;
    private static final double FALSE_DIFFERENCE = 0.01;

    /** @param margin the least effect that counts, as the catalogue has it */
    private record Judged(String metric, double margin) {}

    private static final List<Judged> METRICS = List.of(
            new Judged("response_p50_ms", 0.02),
            new Judged("response_p99_ms", 0.05),
            new Judged("cpu_us_per_request", 0.02));

    public Qualification {
        FieldChecks.oneOf("schema", schema, List.of(SCHEMA));
        FieldChecks.text("at", at, 40);
        FieldChecks.instant("at", at);
        FieldChecks.text("agentVersion", agentVersion, 60);
        FieldChecks.matching("fingerprintHash", fingerprintHash, FieldChecks.SHA256);
        FieldChecks.matching("classHash", classHash, FieldChecks.SHA256);
        FieldChecks.text("cell", cell, 300);
        FieldChecks.between("trials", trials, 1, MOST_TRIALS);
        faults = FieldChecks.list("faults", faults, MOST_TRIALS);
        faults.forEach(fault -> FieldChecks.text("faults", fault, 500));
        FieldChecks.present("values", values);
        values.forEach((metric, of) -> {
            FieldChecks.text("values", metric, 100);
            FieldChecks.list("values." + metric, of, MOST_TRIALS).forEach(value -> {
                if (!Double.isFinite(value)) {
                    throw new FieldChecks.Refused("values." + metric, "must be finite numbers");
                }
            });
        });
    }

    public Instant measuredAt() {
        return FieldChecks.instant("at", at);
    }

    /**
     * @param same null: not measured often enough
     * @param spread from trial to trial; null: not measured often enough
     */
    public record Noise(
            String metric, @Nullable AaTest same, @Nullable SpreadInterval spread) {}

    public List<Noise> noise() {
        return METRICS.stream()
                .map(judged -> new Noise(
                        judged.metric,
                        same(judged),
                        SpreadInterval.ofShares(values.getOrDefault(judged.metric, List.of()))
                                .orElse(null)))
                .toList();
    }

    private @Nullable AaTest same(Judged judged) {
        return AaTest.of(values.getOrDefault(judged.metric, List.of())).orElse(null);
    }

    /** Why the machine did not pass; empty: it did. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (trials < LEAST_TRIALS) {
            problems.add(trials + " trials are not enough, " + LEAST_TRIALS + " are needed");
        }
        problems.addAll(faults);
        for (Judged judged : METRICS) {
            AaTest same = same(judged);
            if (same == null) {
                problems.add(judged.metric + " was not measured often enough");
            } else if (same.p() < FALSE_DIFFERENCE && Math.abs(same.effect()) >= judged.margin) {
                problems.add(words(
                        "%s differs by %+.1f %% between two halves of the same trials",
                        judged.metric, 100 * same.effect()));
            } else if (same.decidable() > DECIDABLE) {
                problems.add(words(
                        "%s varies by %.1f %% from trial to trial: it cannot show differences below %.0f %%; %.0f %% are required",
                        judged.metric, 100 * same.spread(), 100 * same.decidable(), 100 * DECIDABLE));
            }
        }
        return problems;
    }

    private static String words(String form, Object... args) {
        return String.format(Locale.ROOT, form, args);
    }

    /** Whether it passed, on the host as it is now: a changed host must be qualified again. */
    public boolean holdsFor(String currentFingerprint) {
        return fingerprintHash.equals(currentFingerprint) && problems().isEmpty();
    }

    /** Why it does not hold for a machine whose results are provisional; null: it does. */
    @Nullable
    public String whyNot(@Nullable String currentFingerprint) {
        if (!fingerprintHash.equals(currentFingerprint)) {
            return "the host has changed since its A/A qualification; run loomboard-agent qualify on it again";
        }
        return problems().isEmpty() ? null : "it did not pass its A/A qualification: " + String.join("; ", problems());
    }
}
