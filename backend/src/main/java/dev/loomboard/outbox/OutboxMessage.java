package dev.loomboard.outbox;

import dev.loomboard.kernel.WorkspaceId;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox that this replica has taken.
 *
 * @param notice key; null: a summary, or a test message, which somebody asked for
 * @param summary it tells the notices of a day
 * @param recipient external id of the account or the webhook
 * @param messageId the same at each attempt
 * @param attempt its number, from 1: who has it may change the row while nobody began another
 */
public record OutboxMessage(
        long key,
        Channel channel,
        WorkspaceId workspace,
        @Nullable Long notice,
        boolean summary,
        String recipient,
        String messageId,
        int attempt) {

    /** Somebody asked for it. */
    boolean test() {
        return notice == null && !summary;
    }

    /** There was an attempt too many, so that only replicas that died can have made them. */
    boolean exhausted() {
        return attempt > OutboxTimes.MOST_ATTEMPTS;
    }

    boolean last() {
        return attempt >= OutboxTimes.MOST_ATTEMPTS;
    }
}
