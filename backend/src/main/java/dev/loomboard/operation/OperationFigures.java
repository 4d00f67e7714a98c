package dev.loomboard.operation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows what the database said last. What it did not say is NaN: never zero, and never an old number. */
final class OperationFigures {

    private volatile @Nullable StoredFigures last;

    void set(@Nullable StoredFigures figures) {
        last = figures;
    }

    void show(MeterRegistry registry) {
        Gauge.builder("loomboard.database.reached", this, figures -> figures.last == null ? 0 : 1)
                .description("1: the database answered this request; 0: it did not")
                .register(registry);
        runs(registry, "queued", StoredFigures::queued);
        runs(registry, "leased", StoredFigures::leased);
        runs(registry, "running", StoredFigures::running);
        runs(registry, "disconnected", StoredFigures::disconnected);
        leases(registry, "held", StoredFigures::leasesHeld);
        leases(registry, "expired", StoredFigures::leasesExpired);
        Gauge.builder("loomboard.queue.oldest", this, figures -> figures.value(StoredFigures::oldestQueuedSeconds))
                .description("How long the longest waiting run has waited; NaN: none waits")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("loomboard.database.size", this, figures -> figures.value(StoredFigures::databaseBytes))
                .description("What the database takes on its disk")
                .baseUnit("bytes")
                .register(registry);
    }

    private void runs(MeterRegistry registry, String state, Function<StoredFigures, Number> count) {
        Gauge.builder("loomboard.runs", this, figures -> figures.value(count))
                .description("Runs that are not over, by state")
                .tag("state", state)
                .register(registry);
    }

    private void leases(MeterRegistry registry, String state, Function<StoredFigures, Number> count) {
        Gauge.builder("loomboard.leases", this, figures -> figures.value(count))
                .description("Leases of runs: held by an agent, or expired, so that its run waits for its machine")
                .tag("state", state)
                .register(registry);
    }

    private double value(Function<StoredFigures, @Nullable Number> of) {
        StoredFigures figures = last;
        Number value = figures == null ? null : of.apply(figures);
        return value == null ? Double.NaN : value.doubleValue();
    }
}
