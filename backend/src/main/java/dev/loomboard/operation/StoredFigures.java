package dev.loomboard.operation;

import org.jspecify.annotations.Nullable;

/**
 * What the database says of the queue and of itself.
 *
 * @param leasesHeld by agents that were heard of in time
 * @param leasesExpired of runs that are not over, and wait for their machine
 * @param oldestQueuedSeconds how long the longest waiting run has waited; null: none waits
 */
record StoredFigures(
        long queued,
        long leased,
        long running,
        long disconnected,
        long leasesHeld,
        long leasesExpired,
        @Nullable Double oldestQueuedSeconds,
        long databaseBytes) {}
