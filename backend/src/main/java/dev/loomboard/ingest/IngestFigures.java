package dev.loomboard.ingest;

import dev.loomboard.web.ReceivedBody;
import dev.loomboard.web.request.Problems;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Shows an operator how uploads of batches go. */
final class IngestFigures {

    private final Timer accepted;
    private final Counter wire;
    private final Counter unpacked;
    private final Meter.MeterProvider<Counter> refused;

    IngestFigures(MeterRegistry registry) {
        accepted = Timer.builder("loomboard.ingest.batches.accepted")
                .description("Batches that are stored, now or before, and how long that took with their receipt")
                .register(registry);
        wire = bytes(registry, "wire");
        unpacked = bytes(registry, "unpacked");
        refused = Counter.builder("loomboard.ingest.batches.refused")
                .description("Batches that were not stored, by the kind of problem in the answer")
                .withRegistry(registry);
    }

    void accepted(ReceivedBody body, long nanos) {
        accepted.record(Duration.ofNanos(nanos));
        wire.increment(body.packed().length);
        unpacked.increment(body.size());
    }

    void refused(Throwable why) {
        refused.withTags(Tags.of("reason", Problems.kindOf(why))).increment();
    }

    private static Counter bytes(MeterRegistry registry, String form) {
        return Counter.builder("loomboard.ingest.received")
                .description("Bytes of accepted batches, as they came and unpacked")
                .baseUnit("bytes")
                .tag("form", form)
                .register(registry);
    }
}
