package dev.loomboard.limits;

/**
 * An allowance that refills steadily. It is one number, the time at which it will be full again; taking from it moves that
 * time on. For any number of threads.
 */
final class TokenBucket {

    private long fullAt;

    /** @param now ns of any clock that never goes back, the same at every call */
    TokenBucket(long now) {
        this.fullAt = now;
    }

    /**
     * Takes one.
     *
     * @param nanosEach how long one takes to come back
     * @param most how many there are when it is full
     * @return 0: it was taken; else how many ns it takes until there is one
     */
    synchronized long take(long now, long nanosEach, long most) {
        long missing = Math.max(0, fullAt - now) + nanosEach;
        long tooMuch = missing - nanosEach * most;
        if (tooMuch <= 0) {
            fullAt = now + missing;
        }
        return Math.max(0, tooMuch);
    }
}
