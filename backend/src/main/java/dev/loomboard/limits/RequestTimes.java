package dev.loomboard.limits;

import dev.loomboard.web.route.Route;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Optional;

/**
 * How requests were answered and how long that took, by route and class of status. Only names of the route table are used,
 * never what was asked for: strangers choose addresses, and each name stays in memory.
 */
final class RequestTimes {

    /** Of what is no route. */
    private static final String NONE = "none";

    private final Meter.MeterProvider<Timer> timers;

    RequestTimes(MeterRegistry registry) {
        timers = Timer.builder("loomboard.http.requests")
                .description("Requests by route and class of status, from the head's arrival to the answer's end")
                .serviceLevelObjectives(
                        Duration.ofMillis(5),
                        Duration.ofMillis(25),
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(2500),
                        Duration.ofSeconds(10))
                .withRegistry(registry);
    }

    /** @param status empty: the client left before there was an answer */
    void ended(Optional<Route> route, Optional<Integer> status, long nanos) {
        timers.withTags(Tags.of(
                        "method", route.map(Route::verb).orElse(NONE),
                        "route", route.map(Route::path).orElse(NONE),
                        "status", status.map(code -> code / 100 + "xx").orElse(NONE)))
                .record(Duration.ofNanos(nanos));
    }
}
