package dev.loomboard.webhook;

import dev.loomboard.outbox.MessageState;
import dev.loomboard.view.Format;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message to a webhook.
 *
 * @param id external id
 * @param webhook its name
 * @param title what it tells, in a few words
 * @param attempts that were begun
 * @param resends of these, after one that may have been accepted
 * @param error why the last one failed; null: none did
 */
public record WebhookMessage(
        String id,
        String webhook,
        String title,
        Instant written,
        MessageState state,
        int attempts,
        int resends,
        @Nullable Instant sent,
        @Nullable String error) {

    public boolean dead() {
        return state == MessageState.DEAD;
    }

    /** What came of it, in words. */
    public String words() {
        String words = switch (state) {
            case WAITING -> "waiting";
            case SENDING -> "being sent";
            case SENT -> "sent" + (sent == null ? "" : " " + Format.minute(sent));
            case FAILED -> "failed after " + Format.of(attempts, "attempt") + ", tried again";
            case DEAD -> "given up after " + Format.of(attempts, "attempt");
        };
        return words
                + (resends == 0 ? "" : ", sent again " + Format.of(resends, "time"))
                + (error == null ? "" : ": " + error);
    }
}
