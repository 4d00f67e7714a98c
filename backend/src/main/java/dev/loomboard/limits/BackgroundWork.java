package dev.loomboard.limits;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Where is computed what no page waits for: numbers of ended trials, ranks, changes. On half the cores, as uploads are unpacked and
 * read, so that pages, which compute on {@link Schedulers#parallel()}, neither queue behind it nor lack a core.
 */
public final class BackgroundWork {

    public static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private static final Scheduler SCHEDULER = Schedulers.newParallel("background", THREADS, true);

    private BackgroundWork() {}

    public static Scheduler threads() {
        return SCHEDULER;
    }
}
