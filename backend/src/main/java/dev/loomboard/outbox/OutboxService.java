package dev.loomboard.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tells people what was confirmed. A notice that has gathered is closed, and its messages are written, in one transaction; each message is
 * then taken, sent and marked, by whichever replica comes first. One that was accepted by a replica which died before it could mark it is
 * sent again, with the id that it had.
 */
@Service
public class OutboxService {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxService.class);
    private static final int TOGETHER = 4;
    private static final String UNFINISHED =
            "given up after " + OutboxTimes.MOST_ATTEMPTS + " attempts, the last of which did not end";

    private final OutboxStore store;
    private final Map<Channel, ChannelService> channels;
    private final OutboxTimes times;
    private final TransactionalOperator transaction;
    private final Clock clock;

    OutboxService(
            OutboxStore store,
            List<ChannelService> channels,
            OutboxTimes times,
            TransactionalOperator transaction,
            Clock clock) {
        this.store = store;
        this.channels = channels.stream().collect(Collectors.toMap(ChannelService::channel, Function.identity()));
        this.times = times;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** Closes the notices that are due and writes their messages; gives how many notices. */
    public Mono<Long> tell() {
        Instant now = clock.instant();
        return store.due(now, times)
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(notice -> store.close(notice, now)
                        .thenMany(Flux.fromIterable(channels.values()))
                        .concatMap(channel -> channel.write(notice, now))
                        .then(Mono.just(notice)))
                .count()
                .as(transaction::transactional);
    }

    /** Sends what is due, a few at a time, until nothing is or the time is over. */
    public Mono<Void> send(Duration most) {
        Instant end = clock.instant().plus(most);
        return Mono.defer(this::sendSome)
                .repeat()
                .takeUntil(taken -> taken < TOGETHER || clock.instant().isAfter(end))
                .then();
    }

    private Mono<Long> sendSome() {
        return store.take(clock.instant(), times.lease(), channels.keySet(), TOGETHER)
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .flatMap(
                        message -> send(message)
                                .onErrorResume(e -> {
                                    LOG.error("message {} could not be sent", message.messageId(), e);
                                    return Mono.empty();
                                })
                                .thenReturn(message),
                        TOGETHER)
                .count();
    }

    private Mono<Void> send(OutboxMessage message) {
        return message.exhausted()
                ? dead(message, UNFINISHED)
                : Objects.requireNonNull(channels.get(message.channel()))
                        .send(message)
                        .flatMap(delivery -> switch (delivery) {
                            case Delivery.Accepted accepted -> store.sent(message, clock.instant());
                            case Delivery.Later later -> store.later(message, later.until());
                            case Delivery.Failed failed -> failed(message, failed);
                        });
    }

    private Mono<Void> failed(OutboxMessage message, Delivery.Failed failure) {
        if (failure.forGood() || message.last()) {
            return dead(message, failure.why());
        }
        LOG.info(
                "Message {} was not sent at attempt {} and is tried again: {}",
                message.messageId(),
                message.attempt(),
                failure.why());
        return store.failed(message, failure.why(), clock.instant().plus(OutboxTimes.pause(message.attempt())));
    }

    private Mono<Void> dead(OutboxMessage message, String why) {
        LOG.info("Message {} is given up: {}", message.messageId(), why);
        return store.dead(message, why, clock.instant());
    }
}
