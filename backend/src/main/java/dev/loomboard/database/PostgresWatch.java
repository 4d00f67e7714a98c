package dev.loomboard.database;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits on the embedded server and starts it again when it ends unasked. A server that keeps ending is started at ever longer
 * intervals, for as long as the service lives: what ails it may be a full disk that somebody empties.
 */
final class PostgresWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresWatch.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** Starts the server once more; empty: it is no longer wanted. */
    interface Start {
        Optional<Process> again() throws IOException, InterruptedException;
    }

    private final Start start;
    private final Runnable meanwhile;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Duration pause = FIRST_PAUSE;

    /** @param meanwhile done every few seconds while the server runs */
    PostgresWatch(Start start, Runnable meanwhile) {
        this.start = start;
        this.meanwhile = meanwhile;
    }

    void begin(Process server) {
        Thread.ofVirtual().name("embedded-postgres").start(() -> {
            try {
                watch(server);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** From now on an end of the server is no surprise. */
    void end() {
        closed.countDown();
    }

    boolean hasEnded() {
        return closed.getCount() == 0;
    }

    private void watch(Process first) throws InterruptedException {
        Optional<Process> server = Optional.of(first);
        while (server.isPresent()) {
            long begun = System.nanoTime();
            while (!server.get().waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                meanwhile.run();
            }
            int exit = server.get().exitValue();
            if (System.nanoTime() - begun > LONGEST_PAUSE.toNanos()) {
                pause = FIRST_PAUSE; // it had been well
            }
            server = hasEnded() ? Optional.empty() : startAgain(exit);
        }
    }

    private Optional<Process> startAgain(int exit) throws InterruptedException {
        LOG.error("The embedded PostgreSQL ended by itself, with exit code {}. It is started again.", exit);
        while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            try {
                Optional<Process> started = start.again();
                started.ifPresent(server -> LOG.warn("The embedded PostgreSQL runs again."));
                return started;
            } catch (IOException e) {
                LOG.error(
                        "The embedded PostgreSQL does not start: {}. The next attempt is in {} s.",
                        e.getMessage(),
                        pause.toSeconds());
            }
        }
        return Optional.empty();
    }
}
