package dev.loomboard.changepoint;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is decided of a change point.
 *
 * @param confirmedBy null: it is not confirmed
 * @param reported whether the detector still reports it
 */
public record ChangeState(
        ChangeStatus status,
        ChangeDirection direction,
        @Nullable ConfirmedBy confirmedBy,
        @JsonProperty("standing") boolean reported,
        Instant detectedAt,
        @Nullable Instant decidedAt) {

    public boolean suspected() {
        return status == ChangeStatus.SUSPECT;
    }

    public boolean confirmed() {
        return status == ChangeStatus.CONFIRMED;
    }

    public boolean cleared() {
        return status == ChangeStatus.CLEARED;
    }

    public boolean worse() {
        return direction == ChangeDirection.WORSE;
    }
}
