package dev.loomboard.operation;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** When each kind of job last went well on this replica, and how often it went wrong. */
final class JobTimes {

    private final MeterRegistry registry;
    private final Clock clock;
    private final Map<String, Instant> succeeded = new ConcurrentHashMap<>();

    JobTimes(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
    }

    /** @param type of the job: there are few, where every schedule has a job of its own */
    void succeeded(Class<?> type) {
        String name = name(type);
        boolean first = succeeded.put(name, clock.instant()) == null;
        if (first) {
            TimeGauge.builder("loomboard.job.last.success.age", this, TimeUnit.SECONDS, times -> times.age(name))
                    .description("How long ago a job of this kind went well on this replica; missing: it has not yet")
                    .tag("kind", name)
                    .register(registry);
        }
    }

    void failed(Class<?> type) {
        Counter.builder("loomboard.job.failures")
                .description("Jobs that went wrong on this replica")
                .withRegistry(registry)
                .withTags(Tags.of("kind", name(type)))
                .increment();
    }

    private double age(String name) {
        Instant at = succeeded.get(name);
        return at == null ? Double.NaN : Duration.between(at, clock.instant()).toMillis() / 1000.0;
    }

    /** LeaseExpiryJob is lease-expiry. */
    static String name(Class<?> type) {
        return type.getSimpleName()
                .replaceFirst("Job$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);
    }
}
