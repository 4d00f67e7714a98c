package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import dev.loomboard.kernel.FieldChecks;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured attack, open at one rate or closed with a number of connections. Its JSON is the wire's Step.
 *
 * @param rate hits per second; null, with response times and lag: a closed load, in which no hit has an intended send time
 * @param connections of a closed load; null: an open one
 * @param startNs first intended send, ns from the trial's start
 * @param endNs planned end
 * @param sentBy null: an agent that did not say
 * @param operations of a mix; empty: the workload is none. JSON leaves them out then, also where other missing lists are read
 *     as empty: an empty list is refused
 */
public record Step(
        int ordinal,
        @Nullable Double rate,
        @Nullable Integer connections,
        long startNs,
        long endNs,
        @JsonUnwrapped Counts counts,
        Outcomes outcomes,
        Health health,
        @JsonUnwrapped Times times,
        @Nullable EncodedHistogram lag,
        @Nullable SentBy sentBy,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.SET)
        List<MixOperation> operations) {

    /** Of one step: what the agent's load process opens. */
    private static final int MOST_CONNECTIONS = 16_384;

    /** Seconds: what the agent's load process takes. */
    private static final int LONGEST_HEAD = 3600;

    private static final String CLOSED = "the step has connections: no hit of a closed load has an intended send time";

    public Step {
        FieldChecks.notNegative("ordinal", ordinal);
        FieldChecks.notNegative("startNs", startNs);
        FieldChecks.ascending("endNs", startNs, endNs);
        FieldChecks.present("outcomes", outcomes);
        FieldChecks.present("health", health);
        if (outcomes.completedInStep() != null) {
            long most = counts.completed() + outcomes.ofHead();
            FieldChecks.between("outcomes.completedInStep", outcomes.completedInStep(), outcomes.ofHead(), most);
        }
        if (connections == null) {
            open(rate, outcomes, health.lags(), times, lag);
        } else {
            FieldChecks.between("connections", connections, 1, MOST_CONNECTIONS);
            closed(rate, outcomes, health.lags(), times, lag);
        }
        operations = operations == null ? List.of() : MixOperation.checked(operations, times.response() != null);
        if (!operations.isEmpty()) {
            MixOperation.sum(
                    operations, counts, FieldChecks.present("outcomes.completedInStep", outcomes.completedInStep()));
        }
    }

    private static void open(
            @Nullable Double rate, Outcomes outcomes, Lags lags, Times times, @Nullable EncodedHistogram lag) {
        FieldChecks.positive("rate", FieldChecks.present("rate", rate));
        FieldChecks.present("response", times.response());
        FieldChecks.present("lag", lag);
        FieldChecks.present("health.lagP50Ns", lags.lagP50Ns());
        FieldChecks.present("health.lagP99Ns", lags.lagP99Ns());
        FieldChecks.present("health.lagMaxNs", lags.lagMaxNs());
        FieldChecks.present("health.achievedRatio", lags.achievedRatio());
        FieldChecks.absent(
                "outcomes.throughputPerSecond", outcomes.throughputPerSecond(), "the step has no connections");
    }

    private static void closed(
            @Nullable Double rate, Outcomes outcomes, Lags lags, Times times, @Nullable EncodedHistogram lag) {
        FieldChecks.absent("excess", times.excess(), CLOSED);
        FieldChecks.absent("rate", rate, CLOSED);
        FieldChecks.absent("response", times.response(), CLOSED);
        FieldChecks.absent("responseFailed", times.responseFailed(), CLOSED);
        FieldChecks.absent("lag", lag, CLOSED);
        FieldChecks.absent("health.lagP50Ns", lags.lagP50Ns(), CLOSED);
        FieldChecks.absent("health.lagP99Ns", lags.lagP99Ns(), CLOSED);
        FieldChecks.absent("health.lagMaxNs", lags.lagMaxNs(), CLOSED);
        FieldChecks.absent("health.achievedRatio", lags.achievedRatio(), CLOSED);
        if (outcomes.completedInStep() == null) {
            FieldChecks.present("outcomes.throughputPerSecond", outcomes.throughputPerSecond());
        }
    }

    /** What became of the hits of a step, or of one operation in it: its JSON's own fields. */
    public record Counts(long offered, long sent, long completed, long failed, long unfinished)
            implements Checked.Flat {
        public Counts {
            FieldChecks.notNegative("offered", offered);
            FieldChecks.between("sent", sent, 0, offered);
            FieldChecks.between("completed", completed, 0, sent);
            FieldChecks.between("failed", failed, 0, sent);
            FieldChecks.between("unfinished", unfinished, 0, sent);
        }
    }

    /**
     * How long hits took, of a step, of one operation in it or of a second: its JSON's own fields.
     *
     * @param serviceFailed null: no failure
     * @param response null: a closed load
     * @param responseFailed null: no failure
     * @param excess how much longer than the declared delay the successes took; null: no delay is declared, a closed load, or
     *     an agent that did not send it
     * @param belowDelay successes that were answered before the declared delay was over, which excess has not; null: none
     */
    public record Times(
            EncodedHistogram service,
            @Nullable EncodedHistogram serviceFailed,
            @Nullable EncodedHistogram response,
            @Nullable EncodedHistogram responseFailed,
            @Nullable EncodedHistogram excess,
            @Nullable Long belowDelay)
            implements Checked.Flat {
        public Times {
            FieldChecks.present("service", service);
            FieldChecks.notNegative("belowDelay", belowDelay);
        }

        /** Refuses response times of failures, or an excess, where those of answers are missing. */
        void checkResponse() {
            if (responseFailed != null || excess != null) {
                FieldChecks.present("response", response);
            }
        }
    }

    /**
     * @param secondHalfPerSecond completions per second in the second half of the step
     * @param throughputPerSecond the same within all of the step: what agents sent of a closed load before they sent
     *     {@code completedInStep}
     * @param completedInStep successes that were answered within the step, those of the head's hits included; completed
     *     also has those that were answered while it drained, and none of the head's. Null: an agent that did not say
     * @param timeoutNs of a hit: its deadline. Null: an agent that did not say
     * @param head the load before the step over the same connections. Null: there was none
     */
    public record Outcomes(
            Map<String, Long> statusCodes,
            List<ErrorClass> errors,
            long bytesIn,
            long bytesOut,
            double secondHalfPerSecond,
            @Nullable Double throughputPerSecond,
            @Nullable Long completedInStep,
            @Nullable Long timeoutNs,
            @Nullable Head head)
            implements Checked {
        /** Answers to hits of the head within the step; 0 without a head. */
        private long ofHead() {
            return head == null ? 0 : head.completedInStep();
        }

        @Override
        public void check() {
            FieldChecks.counts("statusCodes", statusCodes);
            FieldChecks.list("errors", errors, 50);
            FieldChecks.notNegative("bytesIn", bytesIn);
            FieldChecks.notNegative("bytesOut", bytesOut);
            FieldChecks.finite("secondHalfPerSecond", secondHalfPerSecond);
            FieldChecks.finite("throughputPerSecond", throughputPerSecond);
            FieldChecks.notNegative("completedInStep", completedInStep);
            if (timeoutNs != null) {
                FieldChecks.between("timeoutNs", timeoutNs, 1, EncodedHistogram.HIGHEST);
            }
            if (throughputPerSecond != null && throughputPerSecond < 0) {
                throw new FieldChecks.Refused("throughputPerSecond", "must be at least 0, is: " + throughputPerSecond);
            }
        }
    }

    /**
     * The load before a step over the same connections, without a gap. Its hits are in no other figure.
     *
     * @param completedInStep answers to them within the step: part of the step's
     */
    public record Head(int seconds, long completedInStep) implements Checked {
        @Override
        public void check() {
            FieldChecks.between("seconds", seconds, 1, LONGEST_HEAD);
            FieldChecks.notNegative("completedInStep", completedInStep);
        }
    }

    /** Failures of one class with what the first of them said; written {@code class} on the wire. */
    public record ErrorClass(@JsonProperty("class") String name, long count, String sample) implements Checked {

        @Override
        public void check() {
            FieldChecks.atMost("class", name, 40);
            FieldChecks.notNegative("count", count);
            FieldChecks.atMost("sample", sample, 500);
        }
    }

    /**
     * Of the generator itself.
     *
     * @param scheduling of the load process by the host
     * @param cpuShare of the generator's own cores, 0…1; null, as every other: not measured
     */
    public record Health(
            Validity validity,
            @Nullable String reason,
            @Nullable String cause,
            @JsonUnwrapped Lags lags,
            @Nullable Double noFreeWorkerRatio,
            @Nullable Double cpuShare,
            @Nullable Double gcCpuShare,
            @Nullable Double stealShare,
            @Nullable Long portErrors,
            @Nullable Scheduling scheduling)
            implements Checked {
        @Override
        public void check() {
            FieldChecks.present("validity", validity);
            FieldChecks.atMostOrNull("reason", reason, 1000);
            FieldChecks.atMostOrNull("cause", cause, 200);
            FieldChecks.notNegative("lagP50Ns", lags.lagP50Ns());
            FieldChecks.notNegative("lagP99Ns", lags.lagP99Ns());
            FieldChecks.notNegative("lagMaxNs", lags.lagMaxNs());
            FieldChecks.finite("achievedRatio", lags.achievedRatio());
            FieldChecks.finite("noFreeWorkerRatio", noFreeWorkerRatio);
            FieldChecks.finite("cpuShare", cpuShare);
            FieldChecks.finite("gcCpuShare", gcCpuShare);
            FieldChecks.finite("stealShare", stealShare);
        }
    }

    /**
     * How late the generator sent: fields of its health. All null: a closed load, which has no intended send times.
     *
     * @param achievedRatio sent ÷ offered
     */
    public record Lags(
            @Nullable Long lagP50Ns,
            @Nullable Long lagP99Ns,
            @Nullable Long lagMaxNs,
            @Nullable Double achievedRatio) implements Checked.Flat {}
}
