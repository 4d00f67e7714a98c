package dev.loomboard.retention;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Removes old messages, some at a time, so that nobody who sends one waits. */
@Service
class MessageRetentionService {

    private static final Logger LOG = LoggerFactory.getLogger(MessageRetentionService.class);

    /** What is left over is removed in the next night. */
    static final Duration LONGEST = Duration.ofMinutes(10);

    static final int TOGETHER = 1000;

    private final MessageRetentionStore store;
    private final Clock clock;
    private final int days;

    MessageRetentionService(
            MessageRetentionStore store, Clock clock, @Value("${loomboard.retention.message-days}") int days) {
        this.store = store;
        this.clock = clock;
        if (days < 0) {
            throw new IllegalArgumentException(
                    "LOOMBOARD_MESSAGE_DAYS must be 0 (messages are kept for ever) or more, is: " + days);
        }
        this.days = days;
    }

    /** Gives how many. */
    Mono<Long> removeOld() {
        if (days == 0) {
            return Mono.just(0L);
        }
        Instant now = clock.instant();
        return Mono.defer(() -> store.removeSome(now.minus(Duration.ofDays(days)), TOGETHER))
                .repeat()
                .takeUntil(removed -> removed < TOGETHER || clock.instant().isAfter(now.plus(LONGEST)))
                .reduce(0L, Long::sum)
                .doOnNext(MessageRetentionService::log);
    }

    private static void log(long messages) {
        if (messages > 0) {
            LOG.info("{} messages were sent or given up long ago and are removed", messages);
        }
    }
}
