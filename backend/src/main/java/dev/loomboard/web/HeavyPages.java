package dev.loomboard.web;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.pool.InstrumentedPool;
import reactor.pool.PoolAcquirePendingLimitException;
import reactor.pool.PoolAcquireTimeoutException;
import reactor.pool.PoolBuilder;
import reactor.pool.PooledRef;

/**
 * Makes few of those pages at once that take much memory, whoever asks for how many: some wait their turn for a while, more
 * are told to come back.
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

    /** @param page reads and draws it; it is asked for when it is its turn */
    public <T> Mono<T> inTurn(Mono<T> page) {
        return Mono.usingWhen(turns.acquire(patience), turn -> page, PooledRef::release)
                .onErrorMap(
                        e -> e instanceof PoolAcquireTimeoutException || e instanceof PoolAcquirePendingLimitException,
                        e -> Problem.of(
                                        503,
                                        "pages-busy",
                                        "Too many large pages at once",
                                        "This page takes much memory, so only a few of its kind are made at once, and many people"
                                                + " ask for them now. Try again in a few seconds.")
                                .asException());
    }
}
