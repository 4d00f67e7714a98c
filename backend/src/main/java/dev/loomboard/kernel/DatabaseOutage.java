package dev.loomboard.kernel;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once that the database cannot be reached, and once that it can again: not with each request that fails for it. */
public final class DatabaseOutage {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseOutage.class);

    private final AtomicBoolean lasts = new AtomicBoolean();

    /** A connection could not be made. */
    public void began(Throwable why) {
        if (lasts.compareAndSet(false, true)) {
            LOG.error(
                    "The database cannot be reached: {}. Requests are answered by 503 until it can.", why.getMessage());
        }
    }

    public boolean lasts() {
        return lasts.get();
    }

    /** A connection was made. */
    public void ended() {
        if (lasts.compareAndSet(true, false)) {
            LOG.warn("The database is reached again.");
        }
    }
}
