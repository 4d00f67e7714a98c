package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a trial does before and after its attack. Its JSON is the wire's Phases.
 *
 * @param settleSeconds quiet after the forced GC
 * @param diagnostic how diagnostic trials differ; null: there are none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Phases(
        List<Warmup> warmup,
        double settleSeconds,
        double rewarmSeconds,
        @Nullable Diagnostic diagnostic) {

    public Phases {
        warmup = List.copyOf(warmup);
    }

    /**
     * @param rate null: the scenario's own first rate
     * @param gcAfter force a GC afterwards; null: no
     * @param quietSeconds without load after that; null: none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Warmup(
            @Nullable Double rate,
            double seconds,
            @Nullable Boolean gcAfter,
            @Nullable Double quietSeconds) {

        double longestSeconds() {
            return seconds + (quietSeconds == null ? 0 : quietSeconds);
        }
    }

    /** @param seconds of measuring, in place of the scenario's */
    public record Diagnostic(double warmupSeconds, double seconds) {}
}
