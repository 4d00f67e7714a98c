package dev.loomboard.operation;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Gathers all figures as they are now. */
@Service
class OperationService {

    /** What watches must answer soon, above all while the database does not. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final OperationStore store;
    private final OperationFigures figures;
    private final PrometheusMeterRegistry registry;
    private final Clock clock;

    OperationService(OperationStore store, OperationFigures figures, PrometheusMeterRegistry registry, Clock clock) {
        this.store = store;
        this.figures = figures;
        this.registry = registry;
        this.clock = clock;
    }

    /** In Prometheus' text format. A database that does not answer is a figure, too. */
    Mono<String> scrape() {
        return store.read(clock.instant())
                .timeout(TIMEOUT)
                .doOnNext(figures::set)
                .doOnError(away -> figures.set(null))
                .then()
                .onErrorComplete()
                .then(Mono.fromSupplier(registry::scrape));
    }
}
