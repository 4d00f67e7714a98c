package dev.loomboard.ingest;

import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.EncodedHistogram;
import dev.loomboard.measurement.MixOperation;
import dev.loomboard.measurement.Step;
import dev.loomboard.measurement.Ticks;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a batch takes in the tables, before PostgreSQL packs it: the measure of a workspace's quota. The size of its text is
 * none, since a sample may be two characters and takes sixteen bytes.
 *
 * @param samples removed some day
 * @param kept the rest: histograms, facts and a hundred bytes a row
 */
record StoredBytes(long samples, long kept) {

    /** Its time and its value: each metric has its own times. */
    private static final long SAMPLE = 16;

    private static final long ROW = 100;

    /** @param facts bytes of JSON: of start, end, and health and outcomes of steps */
    static StoredBytes of(Batch batch, long facts) {
        List<MixOperation> operations =
                batch.steps().stream().flatMap(s -> s.operations().stream()).toList();
        long histograms = Stream.of(
                        batch.windows().stream().flatMap(w -> histograms(w.times(), w.lag())),
                        batch.steps().stream().flatMap(s -> histograms(s.times(), s.lag())),
                        operations.stream().flatMap(o -> histograms(o.times(), null)))
                .flatMap(all -> all)
                .mapToLong(StoredBytes::bytes)
                .sum();
        long rows = 1L
                + batch.windows().size()
                + batch.steps().size()
                + operations.size()
                + batch.phases().size();
        return new StoredBytes(samples(batch.ticks()), facts + histograms + ROW * rows);
    }

    long all() {
        return samples + kept;
    }

    private static long samples(@Nullable Ticks ticks) {
        return ticks == null
                ? 0
                : ticks.columns().size() * (ROW + SAMPLE * ticks.atNs().size());
    }

    private static Stream<@Nullable EncodedHistogram> histograms(Step.Times t, @Nullable EncodedHistogram lag) {
        return Stream.of(t.service(), t.serviceFailed(), t.response(), t.responseFailed(), t.excess(), lag);
    }

    /** Without base64. */
    private static long bytes(@Nullable EncodedHistogram histogram) {
        return histogram == null ? 0 : histogram.text().length() * 3L / 4;
    }
}
