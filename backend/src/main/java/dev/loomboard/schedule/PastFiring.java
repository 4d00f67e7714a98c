package dev.loomboard.schedule;

import dev.loomboard.cell.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a schedule's past.
 *
 * @param byHand true: somebody asked for this run, no firing made it
 * @param run external id; null: the firing was skipped, for the reason given
 */
public record PastFiring(
        Instant at,
        boolean byHand,
        @Nullable String run,
        @Nullable RunState runState,
        @Nullable String reason) {}
