package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a trial does before and after its attack. Its JSON is the wire's Phases.
 *
 * @param settleSeconds quiet after the forced GC
 * @param diagnostic how diagnostic trials differ; null: there are none
 * @param adaptive criteria in place of the fixed times; null: the times above
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Phases(
        List<Warmup> warmup,
        double settleSeconds,
        double rewarmSeconds,
        @Nullable Diagnostic diagnostic,
        @Nullable Adaptive adaptive) {

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

        public Warmup {
            gcAfter = Boolean.TRUE.equals(gcAfter) ? gcAfter : null;
        }

        double longestSeconds() {
            return seconds + (quietSeconds == null ? 0 : quietSeconds);
        }
    }

    /** @param seconds of measuring, in place of the scenario's */
    public record Diagnostic(double warmupSeconds, double seconds) {}

    /**
     * Phases that end when a criterion is met, or at their cap.
     *
     * @param rate of the warm-up; null: the agent doubles the scenario's first rate as long as the server keeps up
     * @param hits before a server is warm
     * @param segmentSeconds over so long CPU per request and median must be known to move by less than 1 %
     * @param quietSeconds how long compilers and class loading are quiet
     * @param capSeconds of the warm-up; beyond it there is no steady state
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Adaptive(
            @Nullable Double rate,
            int leastSeconds,
            int hits,
            int segmentSeconds,
            int quietSeconds,
            double capSeconds,
            double settleCapSeconds,
            double rewarmCapSeconds) {

        double longestSeconds() {
            return capSeconds + settleCapSeconds + rewarmCapSeconds;
        }
    }
}
