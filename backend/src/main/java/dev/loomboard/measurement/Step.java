package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured attack, open at one rate or closed with so many connections. Its JSON is the wire's Step.
 *
 * @param rate hits per second; null, with response and lag: a closed load, in which no hit has an intended send time
 * @param connections of a closed load; null: an open one
 * @param startNs first intended send, ns from the trial's start
 * @param endNs planned end
 * @param sentBy null: an agent that did not say
 */
public record Step(
        int ordinal,
        @Nullable Double rate,
        @Nullable Integer connections,
        long startNs,
        long endNs,
        long offered,
        long sent,
        long completed,
        long failed,
        long unfinished,
        Outcomes outcomes,
        Health health,
        EncodedHistogram service,
        @Nullable EncodedHistogram serviceFailed,
        @Nullable EncodedHistogram response,
        @Nullable EncodedHistogram responseFailed,
        @Nullable EncodedHistogram lag,
        @Nullable SentBy sentBy) {

    /** Of one step: what the agent's load process opens. */
    private static final int MOST_CONNECTIONS = 16_384;

    public Step {
        Check.notNegative("ordinal", ordinal);
        Check.notNegative("startNs", startNs);
        Check.ascending("endNs", startNs, endNs);
        Check.notNegative("offered", offered);
        Check.between("sent", sent, 0, offered);
        Check.between("completed", completed, 0, sent);
        Check.between("failed", failed, 0, sent);
        Check.between("unfinished", unfinished, 0, sent);
        Check.present("outcomes", outcomes);
        Check.present("health", health);
        Check.present("service", service);
        if (connections == null) {
            open(rate, outcomes, health, response, lag);
        } else {
            Check.between("connections", connections, 1, MOST_CONNECTIONS);
            closed(rate, outcomes, health, response, responseFailed, lag);
        }
    }

    private static void open(
            @Nullable Double rate,
            Outcomes outcomes,
            Health health,
            @Nullable EncodedHistogram response,
            @Nullable EncodedHistogram lag) {
        if (Check.finite("rate", Check.present("rate", rate)) <= 0) {
            throw new FieldChecks.Refused("rate", "must be above 0, is: " + rate);
        }
        Check.present("response", response);
        Check.present("lag", lag);
        Check.present("health.lagP50Ns", health.lagP50Ns());
        Check.present("health.lagP99Ns", health.lagP99Ns());
        Check.present("health.lagMaxNs", health.lagMaxNs());
        Check.present("health.achievedRatio", health.achievedRatio());
        Check.absent("outcomes.throughputPerSecond", outcomes.throughputPerSecond(), "the step has no connections");
    }

    private static void closed(
            @Nullable Double rate,
            Outcomes outcomes,
            Health health,
            @Nullable EncodedHistogram response,
            @Nullable EncodedHistogram responseFailed,
            @Nullable EncodedHistogram lag) {
        String why = "the step has connections: no hit of a closed load has an intended send time";
        Check.absent("rate", rate, why);
        Check.absent("response", response, why);
        Check.absent("responseFailed", responseFailed, why);
        Check.absent("lag", lag, why);
        Check.absent("health.lagP50Ns", health.lagP50Ns(), why);
        Check.absent("health.lagP99Ns", health.lagP99Ns(), why);
        Check.absent("health.lagMaxNs", health.lagMaxNs(), why);
        Check.absent("health.achievedRatio", health.achievedRatio(), why);
        Check.present("outcomes.throughputPerSecond", outcomes.throughputPerSecond());
    }

    /**
     * @param secondHalfPerSecond completions per second in the second half of the step
     * @param throughputPerSecond the same within all of the step, of a closed load; null: an open one
     */
    public record Outcomes(
            Map<String, Long> statusCodes,
            List<ErrorClass> errors,
            long bytesIn,
            long bytesOut,
            double secondHalfPerSecond,
            @Nullable Double throughputPerSecond) {
        public Outcomes {
            statusCodes = Check.counts("statusCodes", Check.present("statusCodes", statusCodes));
            errors = Check.required("errors", errors, 50);
            Check.notNegative("bytesIn", bytesIn);
            Check.notNegative("bytesOut", bytesOut);
            Check.finite("secondHalfPerSecond", secondHalfPerSecond);
            if (throughputPerSecond != null && Check.finite("throughputPerSecond", throughputPerSecond) < 0) {
                throw new FieldChecks.Refused("throughputPerSecond", "must be at least 0, is: " + throughputPerSecond);
            }
        }
    }

    /** Failures of one class with what the first of them said; written {@code class} on the wire. */
    public record ErrorClass(
            @com.fasterxml.jackson.annotation.JsonProperty("class")
            String name,

            long count,
            String sample) {
        public ErrorClass {
            Check.text("class", name, 40);
            Check.notNegative("count", count);
            Check.text("sample", sample, 500);
        }
    }

    /**
     * Of the generator itself.
     *
     * @param achievedRatio sent ÷ offered; null, as the lags: a closed load has none
     * @param scheduling of the load process by the host
     * @param cpuShare of the generator's own cores, 0…1; null, as every other: not measured
     */
    public record Health(
            Validity validity,
            @Nullable String reason,
            @Nullable String cause,
            @Nullable Long lagP50Ns,
            @Nullable Long lagP99Ns,
            @Nullable Long lagMaxNs,
            @Nullable Double achievedRatio,
            @Nullable Double noFreeWorkerRatio,
            @Nullable Double cpuShare,
            @Nullable Double gcCpuShare,
            @Nullable Double stealShare,
            @Nullable Long portErrors,
            @Nullable Scheduling scheduling) {
        public Health {
            Check.present("validity", validity);
            Check.optional("reason", reason, 1000);
            Check.optional("cause", cause, 200);
            Check.notNegativeOrNull("lagP50Ns", lagP50Ns);
            Check.notNegativeOrNull("lagP99Ns", lagP99Ns);
            Check.notNegativeOrNull("lagMaxNs", lagMaxNs);
            Check.finiteOrNull("achievedRatio", achievedRatio);
            Check.finiteOrNull("noFreeWorkerRatio", noFreeWorkerRatio);
            Check.finiteOrNull("cpuShare", cpuShare);
            Check.finiteOrNull("gcCpuShare", gcCpuShare);
            Check.finiteOrNull("stealShare", stealShare);
        }
    }
}
