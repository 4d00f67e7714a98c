package dev.loomboard.outbox;

import java.time.Instant;
import reactor.core.publisher.Mono;

/** One way to send messages. */
public interface ChannelService {

    Channel channel();

    /**
     * Writes the messages that tell a notice in this way: one for each recipient, also if somebody else writes them at the same time.
     * Called in the transaction that closes the notice.
     *
     * @param notice key
     */
    Mono<Void> write(long notice, Instant now);

    /** Sends it once. An error, beside {@link Delivery.Failed}, leaves the message to the next who takes it. */
    Mono<Delivery> send(OutboxMessage message);
}
