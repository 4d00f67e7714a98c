package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.kernel.FieldChecks;
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
record SearchEnd(
        Objective objective,
        @Nullable Double maxRate,
        @Nullable Double lowRate,
        @Nullable Double highRate,
        boolean confirmed,
        boolean resolved,
        String why,
        @Nullable Double criticalRate,
        List<Bound> bounds,
        List<Step> steps) {

    /** Those that a step's summary has. */
    private static final List<Double> QUANTILES = List.of(0.5, 0.9, 0.95, 0.99, 0.999);

    public SearchEnd {
        Check.present("objective", objective);
        rate("maxRate", maxRate);
        rate("lowRate", lowRate);
        rate("highRate", highRate);
        rate("criticalRate", criticalRate);
        Check.text("why", why, 1000);
        bounds = Check.required("bounds", bounds, 20);
        steps = Check.required("steps", steps, 500);
    }

    private static void rate(String field, @Nullable Double rate) {
        if (rate != null && Check.finite(field, rate) <= 0) {
            throw new FieldChecks.Refused(field, "must be above 0, is: " + rate);
        }
    }

    /** @param responseMs at most, at the quantile of response time; the others are shares, at least */
    public record Objective(double quantile, double responseMs, double success, double achieved) {
        public Objective {
            if (!QUANTILES.contains(Check.finite("quantile", quantile))) {
                throw new FieldChecks.Refused("quantile", "must be one of " + QUANTILES + ", is: " + quantile);
            }
            if (Check.finite("responseMs", responseMs) <= 0) {
                throw new FieldChecks.Refused("responseMs", "must be above 0, is: " + responseMs);
            }
            Check.finite("success", success);
            Check.finite("achieved", achieved);
        }
    }

    /** @param rate the highest whose p99 of response excess stays within {@code excessMs}; null: none does */
    public record Bound(double excessMs, @Nullable Double rate) {
        public Bound {
            Check.finite("excessMs", excessMs);
            SearchEnd.rate("rate", rate);
        }
    }

    /** @param recovered the load before the step met the objective, or did not have to */
    public record Step(
            int ordinal,
            Role role,
            Verdict verdict,
            boolean retry,
            boolean recovered,
            @Nullable String reason) {
        public Step {
            Check.notNegative("ordinal", ordinal);
            Check.present("role", role);
            Check.present("verdict", verdict);
            Check.optional("reason", reason, 1000);
        }
    }

    public enum Role {
        @JsonProperty("explore")
        EXPLORE,
        @JsonProperty("narrow")
        NARROW,
        @JsonProperty("confirm")
        CONFIRM,
        @JsonProperty("curve")
        CURVE
    }

    public enum Verdict {
        @JsonProperty("pass")
        PASS,
        @JsonProperty("fail")
        FAIL,
        @JsonProperty("invalid")
        INVALID
    }
}
