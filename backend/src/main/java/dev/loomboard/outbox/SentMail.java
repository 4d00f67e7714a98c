package dev.loomboard.outbox;

import dev.loomboard.view.Format;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What came of a mail to the person who looks.
 *
 * @param title what it told, in a few words
 * @param attempts that were begun
 * @param resends of these, after one that may have been accepted
 * @param error why the last one failed; null: none did
 */
public record SentMail(
        Instant written,
        String workspace,
        String title,
        MessageState state,
        int attempts,
        int resends,
        @Nullable Instant sent,
        Instant nextTry,
        @Nullable String error) {

    /** What came of it, in words. */
    public String words() {
        String words = switch (state) {
            case WAITING -> nextTry.isAfter(written) ? "waits until " + Format.minute(nextTry) : "waiting";
            case SENDING -> "being sent";
            case SENT -> "sent" + (sent == null ? "" : " " + Format.minute(sent));
            case FAILED -> "failed, tried again " + Format.minute(nextTry);
            case DEAD -> "not sent, given up";
        };
        return words
                + (resends == 0 ? "" : ", sent again " + Format.of(resends, "time"))
                + (error == null ? "" : ": " + error);
    }
}
