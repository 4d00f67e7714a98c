package dev.loomboard.retention;

import dev.loomboard.quota.QuotaService;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Removes raw samples that are old, a trial at a time, so that nobody waits for it. */
@Service
class RetentionService {

    private static final Logger LOG = LoggerFactory.getLogger(RetentionService.class);

    /** What is left over is removed in the next night. */
    static final Duration LONGEST = Duration.ofMinutes(50);

    private final RetentionStore store;
    private final QuotaService quotas;
    private final TransactionalOperator transaction;
    private final Clock clock;
    private final int days;

    RetentionService(
            RetentionStore store,
            QuotaService quotas,
            TransactionalOperator transaction,
            Clock clock,
            @Value("${loomboard.retention.sample-days}") int days) {
        this.store = store;
        this.quotas = quotas;
        this.transaction = transaction;
        this.clock = clock;
        if (days < 0) {
            throw new IllegalArgumentException(
                    "LOOMBOARD_SAMPLE_DAYS must be 0 (raw samples are kept for ever) or more, is: " + days);
        }
        this.days = days;
    }

    /** Gives of how many trials. */
    Mono<Long> removeOld() {
        Instant now = clock.instant();
        return store.rules(days)
                .concatMap(rule -> store.old(rule.workspace(), now.minus(Duration.ofDays(rule.days()))))
                .collectList() // numbers only; the query's connection is given back before anything is removed
                .flatMapIterable(trials -> trials)
                .takeWhile(trial -> clock.instant().isBefore(now.plus(LONGEST)))
                .concatMap(trial -> remove(trial, now).as(transaction::transactional), 1)
                .count()
                .doOnNext(RetentionService::log);
    }

    private Mono<Long> remove(long trial, Instant now) {
        return store.lock(trial)
                .flatMap(locked -> store.bytes(trial)
                        .flatMap(bytes -> store.remove(trial, now)
                                .then(Mono.defer(() -> quotas.removed(locked.workspace(), bytes)))
                                .thenReturn(bytes)));
    }

    private static void log(long trials) {
        if (trials > 0) {
            LOG.info("raw samples of {} trials were old and are removed", trials);
        }
    }
}
