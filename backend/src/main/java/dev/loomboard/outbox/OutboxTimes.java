package dev.loomboard.outbox;

import java.time.Duration;

/**
 * When notices are told, and how long messages are tried.
 *
 * @param settle how long nothing was added to a notice before it is told
 * @param longest after which it is told although reruns of its build go on
 * @param lease how long a replica has a message to itself; longer than any attempt takes
 */
record OutboxTimes(Duration settle, Duration longest, Duration lease) {

    /** Attempts before a message is given up: in all about half a day. */
    static final int MOST_ATTEMPTS = 12;

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final int DOUBLINGS = 7;

    /** Until the next attempt: a minute, then twice as long each time, at most two hours. */
    static Duration pause(int attempts) {
        return FIRST_PAUSE.multipliedBy(1L << Math.clamp(attempts - 1L, 0, DOUBLINGS));
    }
}
