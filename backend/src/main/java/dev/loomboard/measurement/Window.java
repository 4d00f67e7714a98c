package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.kernel.FieldChecks;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One second of load, by intended send time; of a closed load by actual send. Its JSON is the wire's Window.
 *
 * @param step ordinal within its phase
 * @param atNs start of the second, ns from the trial's start
 * @param lag null, with response times: a closed load, in which no hit has an intended send time
 */
public record Window(
        Phase phase,
        int step,
        long atNs,
        long intended,
        long sent,
        long completed,
        long failed,
        @JsonUnwrapped Step.Times times,
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
        times.checkResponse();
        if (lag != null) {
            FieldChecks.present("response", times.response());
        }
        if (times.response() != null) {
            FieldChecks.present("lag", lag);
        }
    }

    /** Of all hits, ns, for charts; null: no hit, no response time, or too many hits failed. */
    public record Quantiles(
            @Nullable Long responseP50,
            @Nullable Long responseP99,
            @Nullable Long serviceP50,
            @Nullable Long serviceP99) {}

    public Quantiles quantiles() {
        Histogram answered = times.response() == null
                ? null
                : EncodedHistogram.failuresLast(times.response(), times.responseFailed());
        Histogram served = EncodedHistogram.failuresLast(times.service(), times.serviceFailed());
        return new Quantiles(
                quantile(answered, 50), quantile(answered, 99), quantile(served, 50), quantile(served, 99));
    }

    private static @Nullable Long quantile(@Nullable Histogram histogram, int percent) {
        if (histogram == null || histogram.getTotalCount() == 0) {
            return null;
        }
        long nanos = histogram.getValueAtPercentile(percent);
        return nanos >= EncodedHistogram.HIGHEST ? null : (Long) nanos;
    }
}
