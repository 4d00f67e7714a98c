package dev.loomboard.limits;

import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.pool.InstrumentedPool;
import reactor.pool.PoolAcquirePendingLimitException;
import reactor.pool.PoolAcquireTimeoutException;
import reactor.pool.PoolBuilder;
import reactor.pool.PooledRef;

/**
 * Limits how many memory-heavy pages are made at once: some requests wait for their turn, further ones are refused
 * with 503.
 */
@Component
public class HeavyPages {

    /** Of the heap, for one page that is being made. */
    private static final long BYTES_OF_ONE = 192L << 20;

    private static final int MOST_AT_ONCE = 8;
    private static final int WAITING = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private record Turn() {}

    private final InstrumentedPool<Turn> turns;
    private final Duration patience;
    private final LongAdder refused = new LongAdder();

    @Autowired
    HeavyPages() {
        this(atOnce(Runtime.getRuntime().maxMemory()), WAITING, PATIENCE);
    }

    HeavyPages(int atOnce, int waiting, Duration patience) {
        this.turns = PoolBuilder.from(Mono.fromSupplier(Turn::new))
                .sizeBetween(0, atOnce)
                .maxPendingAcquire(waiting)
                .buildPool();
        this.patience = patience;
    }

    static int atOnce(long heap) {
        return Math.toIntExact(Math.clamp(heap / BYTES_OF_ONE, 1, MOST_AT_ONCE));
    }

    /** Shows an operator how many are made, how many wait, and how many were told to come back. */
    void show(MeterRegistry registry) {
        InstrumentedPool.PoolMetrics state = turns.metrics();
        Gauge.builder("loomboard.heavy.pages.making", state, InstrumentedPool.PoolMetrics::acquiredSize)
                .description("Large pages that are being made")
                .register(registry);
        Gauge.builder("loomboard.heavy.pages.waiting", state, InstrumentedPool.PoolMetrics::pendingAcquireSize)
                .description("Large pages that wait for their turn")
                .register(registry);
        Gauge.builder("loomboard.heavy.pages.max", state, InstrumentedPool.PoolMetrics::getMaxAllocatedSize)
                .description("Large pages that are made at once at most")
                .register(registry);
        FunctionCounter.builder("loomboard.heavy.pages.refused", refused, LongAdder::sum)
                .description("Large pages that were refused because too many were being made")
                .register(registry);
    }

    /** @param page reads and draws it; it is asked for when it is its turn */
    public <T> Mono<T> inTurn(Mono<T> page) {
        return Mono.usingWhen(turns.acquire(patience), turn -> page, PooledRef::release)
                .onErrorMap(
                        e -> e instanceof PoolAcquireTimeoutException || e instanceof PoolAcquirePendingLimitException,
                        e -> refusal());
    }

    private ProblemException refusal() {
        refused.increment();
        return Problem.of(
                        503,
                        "pages-busy",
                        "Too many large pages at once",
                        "This page needs much memory, so the service makes only a few of them at once. Try again in a few"
                                + " seconds.")
                .asException();
    }
}
