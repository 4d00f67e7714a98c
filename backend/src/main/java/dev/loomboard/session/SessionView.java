package dev.loomboard.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A signed-in browser, as its person sees it.
 *
 * @param lastUsed as exactly as {@link SessionLimits#COARSE}
 * @param address where it was begun; null: begun before this was noted
 * @param browser in a few words; null: not recorded
 * @param current true for the one that asks
 */
public record SessionView(
        String id,
        Instant begun,
        Instant lastUsed,
        Instant expires,
        @Nullable String address,
        @Nullable String browser,
        boolean current) {}
