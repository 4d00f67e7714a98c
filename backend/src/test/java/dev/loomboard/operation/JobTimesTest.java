package dev.loomboard.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class JobTimesTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-23T03:00:00Z"));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final JobTimes times = new JobTimes(registry, new Ticking());

    private static final class NightlyScreenJob {}

    private final class Ticking extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Objects.requireNonNull(now.get());
        }
    }

    @Test
    void success_ages_until_the_next_and_is_not_there_before_the_first() {
        assertThat(registry.find("loomboard.job.last.success.age").meter()).isNull();
        times.succeeded(NightlyScreenJob.class);
        now.updateAndGet(at -> at.plus(Duration.ofSeconds(90)));
        assertThat(age()).isEqualTo(90);
        times.failed(NightlyScreenJob.class);
        assertThat(age()).as("a failure is no success").isEqualTo(90);
        times.succeeded(NightlyScreenJob.class);
        assertThat(age()).isZero();
        assertThat(registry.get("loomboard.job.failures")
                        .tag("kind", "nightly-screen")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private double age() {
        return registry.get("loomboard.job.last.success.age")
                .tag("kind", "nightly-screen")
                .timeGauge()
                .value();
    }
}
