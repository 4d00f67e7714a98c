package dev.loomboard.inventory;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.stats.SpreadInterval;
import dev.loomboard.stats.paired.AaTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Trials of one cell against themselves. Its JSON is the wire's QualificationCell.
 *
 * @param resource null: a qualification of one cell alone, which was to stand for all
 * @param cell for people: server, variant, workload, JDK
 * @param faults why trials are missing
 * @param values by metric, in order of execution
 */
public record QualificationCell(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ResourceClass resource,
        String cell,
        int trials,
        List<String> faults,
        Map<String, List<Double>> values) {

    private static final int MOST_TRIALS = 1000;

    /** The criterion: the least number of trials, each valid, no false difference, and such a difference decidable. */
    static final int LEAST_TRIALS = 10;

    static final double DECIDABLE = 0.10;
    private static final double FALSE_DIFFERENCE = 0.01;

    /** @param margin the least effect that counts, as the catalogue has it */
    private record Judged(String metric, double margin) {}

    private static final Judged P50 = new Judged("response_p50_ms", 0.02);
    private static final Judged P99 = new Judged("response_p99_ms", 0.05);
    private static final Judged CPU = new Judged("cpu_us_per_request", 0.02);

    public QualificationCell {
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

    /**
     * @param same null: not measured often enough
     * @param spread from trial to trial; null: not measured often enough
     */
    public record Noise(
            String metric, @Nullable AaTest same, @Nullable SpreadInterval spread) {}

    public List<Noise> noise() {
        return metrics().stream()
                .map(judged -> new Noise(
                        judged.metric,
                        same(judged),
                        SpreadInterval.ofShares(values.getOrDefault(judged.metric, List.of()))
                                .orElse(null)))
                .toList();
    }

    /** A request that computes takes long, so a trial has too few of them for a p99. */
    private List<Judged> metrics() {
        return resource == null || resource == ResourceClass.NETWORK ? List.of(P50, P99, CPU) : List.of(P50, CPU);
    }

    private @Nullable AaTest same(Judged judged) {
        return AaTest.of(values.getOrDefault(judged.metric, List.of())).orElse(null);
    }

    /** Why the machine did not pass; empty: it did. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (trials < LEAST_TRIALS) {
            problems.add(trials + " trials are not enough, " + LEAST_TRIALS + " are needed");
        }
        problems.addAll(faults);
        for (Judged judged : metrics()) {
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
}
