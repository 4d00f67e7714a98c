package dev.loomboard.run;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.WireName;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run that the queue decides on. Every change is a pure function of it: a store reads it under a row lock,
 * asks, and writes what comes back.
 *
 * @param fencing token of the newest lease, 0 before any; who shows an older one has been superseded
 * @param attempts how often it was leased since trials were last asked for
 * @param expires when the lease ends without a heartbeat; kept while disconnected, where it says since when
 * @param cancelRequested when a person asked to cancel it
 * @param failure why it failed, in words
 */
record Lease(
        RunState state,
        long fencing,
        int attempts,
        @Nullable Instant expires,
        @Nullable Instant cancelRequested,
        @Nullable String failure) {

    static final int MOST_ATTEMPTS = 3;

    static Lease queued() {
        return new Lease(RunState.QUEUED, 0, 0, null, null, null);
    }

    // ---- what may come of a call

    sealed interface Claim {}

    record Granted(Lease next) implements Claim {}

    /** It cannot be given out again; {@code next} is over. */
    record Spent(Lease next) implements Claim {}

    sealed interface Beat {}

    /** @param cancel the agent is to stop the run */
    record Heard(Lease next, boolean cancel) implements Beat {}

    /** The usual case, decided and written at once ({@link RunStore#beatOn}). */
    record GoesOn() implements Beat {}

    sealed interface Ending {}

    record Ended(Lease next) implements Ending {}

    /** The same was said before: nothing to do. */
    record EndedBefore() implements Ending {}

    /** @param unended trials that have not ended, though the agent says that all is done */
    record TooEarly(int unended) implements Ending {}

    /** The lease is not the newest, or the run is over: the caller must stop. */
    record Superseded(String why) implements Beat, Ending {}

    /** How an agent says that a run ended. */
    enum Outcome implements WireName {
        DONE,
        FAILED,
        CANCELLED
    }

    // ---- the calls

    /** The machine's agent asks for work. A run it already holds is given again, under a higher token. */
    Claim claim(Instant now, Duration length) {
        if (state.isOver()) {
            throw new IllegalStateException("a run that is " + state.wire() + " is not in the queue");
        }
        if (cancelRequested != null) {
            return new Spent(over(RunState.CANCELLED, null));
        }
        if (attempts >= MOST_ATTEMPTS) {
            return new Spent(over(
                    RunState.FAILED,
                    "It was leased " + attempts
                            + " times and never finished: the agent stopped each time. Read the agent's log."));
        }
        return new Granted(new Lease(RunState.LEASED, fencing + 1, attempts + 1, now.plus(length), null, null));
    }

    Beat heartbeat(long shown, Instant now, Duration length) {
        if (state.isOver() || shown != fencing) {
            return superseded(shown);
        }
        if (wantsClaim()) {
            return new Heard(this, cancelRequested != null);
        }
        Lease next = new Lease(RunState.RUNNING, fencing, attempts, now.plus(length), cancelRequested, null);
        return new Heard(next, cancelRequested != null);
    }

    Ending complete(long shown, Outcome outcome, @Nullable String reason, int unended) {
        RunState end = RunState.valueOf(outcome.name());
        if (shown != fencing) {
            return superseded(shown);
        }
        if (state.isOver()) {
            return state == end ? new EndedBefore() : superseded(shown);
        }
        if (wantsClaim()) {
            return new EndedBefore();
        }
        if (outcome == Outcome.DONE && unended > 0) {
            return new TooEarly(unended);
        }
        String why = outcome == Outcome.FAILED && reason == null ? "The agent gave no reason." : reason;
        return new Ended(over(end, outcome == Outcome.DONE ? null : why));
    }

    /** Its agent made what was planned, and more is asked for: the same machine claims it again, with all attempts before it. */
    Lease again(Instant now, Duration length) {
        return new Lease(RunState.LEASED, fencing, 0, now.plus(length), null, null);
    }

    /** The newest lease was ended by {@link #again}: what else is said under it changes nothing. */
    private boolean wantsClaim() {
        return attempts == 0 && fencing > 0;
    }

    /**
     * What time alone does to it.
     *
     * @param patience how long a lost machine's run waits for it
     * @return the same record when nothing
     */
    Lease passed(Instant now, Duration patience) {
        if (expires == null || now.isBefore(expires)) {
            return this;
        }
        return switch (state) {
            case LEASED, RUNNING ->
                cancelRequested != null
                        ? over(RunState.CANCELLED, null)
                        : new Lease(RunState.DISCONNECTED, fencing, attempts, expires, null, null);
            case DISCONNECTED ->
                now.isBefore(expires.plus(patience))
                        ? this
                        : over(RunState.FAILED, "Its machine has been away for " + words(patience) + ".");
            case QUEUED, DONE, FAILED, CANCELLED -> this;
        };
    }

    /** A person cancels: at once where no agent is at work, else the agent hears it at its next heartbeat. */
    Lease cancel(Instant now) {
        return switch (state) {
            case QUEUED, DISCONNECTED -> over(RunState.CANCELLED, null);
            case LEASED, RUNNING ->
                cancelRequested != null ? this : new Lease(state, fencing, attempts, expires, now, null);
            case DONE, FAILED, CANCELLED -> this;
        };
    }

    /** Its machine's key was revoked: nobody can ever claim it or go on with it. */
    Lease abandoned() {
        return switch (state) {
            case QUEUED, DISCONNECTED, LEASED, RUNNING ->
                over(RunState.CANCELLED, "The key of its machine was revoked.");
            case DONE, FAILED, CANCELLED -> this;
        };
    }

    /** What is stored of it cannot be read, by this version at least: no agent can be told what to do. */
    Lease unreadable() {
        return state.isOver()
                ? this
                : over(
                        RunState.FAILED,
                        "Its stored matrix cannot be read by this version of the service. Start a new run of the matrix.");
    }

    private Lease over(RunState end, @Nullable String why) {
        return new Lease(end, fencing, attempts, null, cancelRequested, why);
    }

    private Superseded superseded(long shown) {
        String why = state.isOver()
                ? "The run is " + state.wire() + "."
                : "Lease " + shown + " of this run was superseded by lease " + fencing + ".";
        return new Superseded(why);
    }

    private static String words(Duration patience) {
        return patience.toHours() > 0 ? patience.toHours() + " h" : patience.toMinutes() + " min";
    }
}
