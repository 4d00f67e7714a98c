package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One second of load, by intended send time; of a closed load by actual send. Its JSON is the wire's Window.
 *
 * @param step ordinal within its phase
 * @param atNs start of the second, ns from the trial's start
 * @param serviceFailed null: no failure
 * @param response null, with lag: a closed load, in which no hit has an intended send time
 * @param responseFailed null: no failure
 */
public record Window(
        Phase phase,
        int step,
        long atNs,
        long intended,
        long sent,
        long completed,
        long failed,
        EncodedHistogram service,
        @Nullable EncodedHistogram serviceFailed,
        @Nullable EncodedHistogram response,
        @Nullable EncodedHistogram responseFailed,
        @Nullable EncodedHistogram lag) {

    public Window {
        FieldChecks.present("phase", phase);
        if (!phase.hasLoad()) {
            throw new FieldChecks.Refused("phase", "must be warmup, rewarm or measure, is: " + phase.wire());
        }
        FieldChecks.notNegative("step", step);
        FieldChecks.notNegative("atNs", atNs);
        FieldChecks.notNegative("intended", intended);
        FieldChecks.between("sent", sent, 0, intended);
        FieldChecks.between("completed", completed, 0, sent);
        FieldChecks.between("failed", failed, 0, sent);
        FieldChecks.present("service", service);
        if (lag != null || responseFailed != null) {
            FieldChecks.present("response", response);
        }
        if (response != null) {
            FieldChecks.present("lag", lag);
        }
    }

    /** Of successes and failures together, ns, for charts; null: no hit, or no response time. */
    public record Quantiles(
            @Nullable Long responseP50,
            @Nullable Long responseP99,
            @Nullable Long serviceP50,
            @Nullable Long serviceP99) {}

    public Quantiles quantiles() {
        Histogram answered = response == null ? null : EncodedHistogram.merged(response, responseFailed);
        Histogram served = EncodedHistogram.merged(service, serviceFailed);
        return new Quantiles(
                quantile(answered, 50), quantile(answered, 99), quantile(served, 50), quantile(served, 99));
    }

    private static @Nullable Long quantile(@Nullable Histogram histogram, int percent) {
        return histogram == null || histogram.getTotalCount() == 0
                ? null
                : (Long) histogram.getValueAtPercentile(percent);
    }
}
