package dev.loomboard.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a schedule's past.
 *
 * @param byHand true: somebody asked for this run, no firing made it
 * @param run external id; null: there is none, and the reason says why
 */
public record PastFiring(
        Instant at,
        boolean byHand,
        @Nullable String run,
        @Nullable String runState,
        @Nullable String reason) {}
