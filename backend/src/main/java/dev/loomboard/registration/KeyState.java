package dev.loomboard.registration;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long the keys of a machine's agent are good.
 *
 * @param expiresAt of the present key; null: it does not expire
 * @param previousUntil until when the key before it is good as well; null: there was none
 */
public record KeyState(
        @Nullable Instant expiresAt, @Nullable Instant previousUntil) {}
