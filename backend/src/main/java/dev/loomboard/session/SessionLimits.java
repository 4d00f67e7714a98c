package dev.loomboard.session;

import dev.loomboard.kernel.StartupRefusal;
import java.time.Duration;

/**
 * How long a session lasts.
 *
 * @param idle without use
 * @param life in all
 */
public record SessionLimits(Duration idle, Duration life) {

    /** How exactly the last use of a session is known: it is written no more often. */
    public static final Duration COARSE = Duration.ofMinutes(5);

    private static final Duration SHORTEST = COARSE.multipliedBy(2);

    public SessionLimits {
        check("LOOMBOARD_SESSION_IDLE", idle);
        check("LOOMBOARD_SESSION_LIFE", life);
    }

    private static void check(String setting, Duration given) {
        if (given.compareTo(SHORTEST) < 0) {
            throw new StartupRefusal(
                    setting + " is too short.", "Set it to " + SHORTEST.toMinutes() + "m or more, such as 7d.");
        }
    }
}
