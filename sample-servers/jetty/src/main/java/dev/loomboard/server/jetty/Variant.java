package dev.loomboard.server.jetty;

import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The threads that requests run on. Jetty's own tasks run on those of the pool in both. */
enum Variant {
    PLATFORM("platform") {
        @Override
        QueuedThreadPool threads() {
            return new QueuedThreadPool();
        }
    },
    VIRTUAL("virtual") {
        @Override
        QueuedThreadPool threads() {
            QueuedThreadPool pool = new QueuedThreadPool();
            pool.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
            return pool;
        }
    };

    private final String title;

    Variant(String title) {
        this.title = title;
    }

    abstract QueuedThreadPool threads();

    /** A server is never measured under a name that it does not run: an unknown one stops the start. */
    static Variant named(String title) {
        return Arrays.stream(values())
                .filter(variant -> variant.title.equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("variant must be one of "
                        + Arrays.stream(values()).map(Variant::toString).collect(Collectors.joining(", ")) + ", but is "
                        + title));
    }

    @Override
    public String toString() {
        return title;
    }
}
