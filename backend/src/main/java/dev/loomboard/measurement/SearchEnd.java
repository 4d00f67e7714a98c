package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search found, in hits per second. Its JSON is the wire's SearchEnd.
 *
 * @param maxRate highest that passed; null: none
 * @param lowRate of the 95 % interval; null, as highRate: nothing bounds it
 * @param resolved a rate within the precision above it failed
 * @param criticalRate geometric mean of the bounds' rates; null: a bound has none
 */
public record SearchEnd(
        Objective objective,
        @Nullable Double maxRate,
        @Nullable Double lowRate,
        @Nullable Double highRate,
        boolean confirmed,
        boolean resolved,
        String why,
        @Nullable Double criticalRate,
        List<Bound> bounds,
        List<Step> steps)
        implements Checked {

    /** Those that a step's summary has. */
    private static final List<Double> QUANTILES = List.of(0.5, 0.9, 0.95, 0.99, 0.999);

    @Override
    public void check() {
        FieldChecks.present("objective", objective);
        FieldChecks.positive("maxRate", maxRate);
        FieldChecks.positive("lowRate", lowRate);
        FieldChecks.positive("highRate", highRate);
        FieldChecks.positive("criticalRate", criticalRate);
        FieldChecks.atMost("why", why, 1000);
        FieldChecks.list("bounds", bounds, 20);
        FieldChecks.list("steps", steps, 500);
    }

    /** @param responseMs at most, at the quantile of response time; the others are shares, at least */
    public record Objective(double quantile, double responseMs, double success, double achieved) implements Checked {
        @Override
        public void check() {
            FieldChecks.finite("quantile", quantile);
            if (!QUANTILES.contains(quantile)) {
                throw new FieldChecks.Refused("quantile", "must be one of " + QUANTILES + ", is: " + quantile);
            }
            FieldChecks.positive("responseMs", responseMs);
            FieldChecks.finite("success", success);
            FieldChecks.finite("achieved", achieved);
        }
    }

    /** @param rate the highest whose p99 of response excess stays within {@code excessMs}; null: none does */
    public record Bound(double excessMs, @Nullable Double rate) implements Checked {
        @Override
        public void check() {
            FieldChecks.finite("excessMs", excessMs);
            FieldChecks.positive("rate", rate);
        }
    }

    /** @param recovered the load before the step met the objective, or did not have to */
    public record Step(
            int ordinal,
            Role role,
            Verdict verdict,
            boolean retry,
            boolean recovered,
            @Nullable String reason) implements Checked {
        @Override
        public void check() {
            FieldChecks.notNegative("ordinal", ordinal);
            FieldChecks.present("role", role);
            FieldChecks.present("verdict", verdict);
            FieldChecks.atMostOrNull("reason", reason, 1000);
        }
    }

    public enum Role implements WireName {
        EXPLORE,
        NARROW,
        CONFIRM,
        CURVE
    }

    public enum Verdict implements WireName {
        PASS,
        FAIL,
        INVALID
    }
}
