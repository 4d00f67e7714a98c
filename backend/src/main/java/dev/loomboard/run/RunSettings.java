package dev.loomboard.run;

import java.time.Duration;

/**
 * The queue's times.
 *
 * @param lease how long an agent may be silent
 * @param heartbeat how often it is to call; several fit into a lease
 * @param awayLimit how long a lost machine's run waits for it before it fails
 */
record RunSettings(Duration lease, Duration heartbeat, Duration awayLimit) {
    RunSettings {
        if (heartbeat.multipliedBy(2).compareTo(lease) > 0) {
            throw new IllegalArgumentException("loomboard.run.heartbeat must be at most half of loomboard.run.lease ("
                    + lease + "), is: " + heartbeat);
        }
    }
}
