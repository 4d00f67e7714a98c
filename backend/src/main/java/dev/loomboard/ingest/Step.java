package dev.loomboard.ingest;

import dev.loomboard.web.Wire;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured attack at one rate. Its JSON is the wire's Step.
 *
 * @param rate hits per second
 * @param startNs first intended send, ns from the trial's start
 * @param endNs planned end
 */
record Step(
        int ordinal,
        double rate,
        long startNs,
        long endNs,
        long offered,
        long sent,
        long completed,
        long failed,
        long unfinished,
        Outcomes outcomes,
        Health health,
        Hdr service,
        @Nullable Hdr serviceFailed,
        Hdr response,
        @Nullable Hdr responseFailed,
        Hdr lag) {

    Step {
        Check.notNegative("ordinal", ordinal);
        if (Check.finite("rate", rate) <= 0) {
            throw new Wire.Refused("rate", "must be above 0, is: " + rate);
        }
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
        Check.present("response", response);
        Check.present("lag", lag);
    }

    /** @param secondHalfPerSecond completions per second in the second half of the step */
    record Outcomes(
            Map<String, Long> statusCodes,
            List<ErrorClass> errors,
            long bytesIn,
            long bytesOut,
            double secondHalfPerSecond) {
        Outcomes {
            statusCodes = Check.counts("statusCodes", Check.present("statusCodes", statusCodes));
            errors = Check.required("errors", errors, 50);
            Check.notNegative("bytesIn", bytesIn);
            Check.notNegative("bytesOut", bytesOut);
            Check.finite("secondHalfPerSecond", secondHalfPerSecond);
        }
    }

    /** Failures of one class with what the first of them said; written {@code class} on the wire. */
    record ErrorClass(
            @com.fasterxml.jackson.annotation.JsonProperty("class")
            String name,

            long count,
            String sample) {
        ErrorClass {
            Check.text("class", name, 40);
            Check.notNegative("count", count);
            Check.text("sample", sample, 500);
        }
    }

    /**
     * Of the generator itself.
     *
     * @param achievedRatio sent ÷ offered
     * @param scheduling of the load process by the host
     * @param cpuShare of the generator's own cores, 0…1; null, as every other: not measured
     */
    record Health(
            Validity validity,
            @Nullable String reason,
            @Nullable String cause,
            long lagP50Ns,
            long lagP99Ns,
            long lagMaxNs,
            double achievedRatio,
            @Nullable Double noFreeWorkerRatio,
            @Nullable Double cpuShare,
            @Nullable Double gcCpuShare,
            @Nullable Double stealShare,
            @Nullable Long portErrors,
            @Nullable Scheduling scheduling) {
        Health {
            Check.present("validity", validity);
            Check.optional("reason", reason, 1000);
            Check.optional("cause", cause, 200);
            Check.notNegative("lagP50Ns", lagP50Ns);
            Check.notNegative("lagP99Ns", lagP99Ns);
            Check.notNegative("lagMaxNs", lagMaxNs);
            Check.finite("achievedRatio", achievedRatio);
            Check.finiteOrNull("noFreeWorkerRatio", noFreeWorkerRatio);
            Check.finiteOrNull("cpuShare", cpuShare);
            Check.finiteOrNull("gcCpuShare", gcCpuShare);
            Check.finiteOrNull("stealShare", stealShare);
        }
    }
}
