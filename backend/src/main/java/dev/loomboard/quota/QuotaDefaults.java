package dev.loomboard.quota;

/** How much each workspace may have, unless an administrator decided otherwise for it. */
public record QuotaDefaults(
        long storedBytes, long artefactBytes, long machines, long queuedRuns, long matrices, long schedules) {

    long of(QuotaKind kind) {
        return switch (kind) {
            case STORED -> storedBytes;
            case ARTEFACTS -> artefactBytes;
            case MACHINES -> machines;
            case QUEUED_RUNS -> queuedRuns;
            case MATRICES -> matrices;
            case SCHEDULES -> schedules;
        };
    }
}
