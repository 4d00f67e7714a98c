package dev.loomboard.run;

import dev.loomboard.kernel.DatabaseListener;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Service;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Reports changes of a run to its watchers, whichever replica or agent changed it. When listening begins again, every watcher looks once. */
@Service
public class RunEventService implements DatabaseListener, SmartLifecycle {

    /** Anything may have changed: sent when listening begins (again). */
    static final String ANY = "";

    private final QueueWatchService watch;
    private final Sinks.Many<String> changed = Sinks.many().multicast().directBestEffort();
    private volatile @Nullable Disposable listening;
    private volatile Sinks.Empty<Void> ending = Sinks.empty();

    RunEventService(QueueWatchService watch) {
        this.watch = watch;
    }

    @Override
    public String channel() {
        return "run_changed";
    }

    @Override
    public void begins() {
        changed.tryEmitNext(ANY);
    }

    @Override
    public void says(String run) {
        changed.tryEmitNext(run);
    }

    @Override
    public void ends() {
        // who watches looks when listening begins again
    }

    /**
     * A sign whenever the run may have changed; the watcher then reads what it wants to know. Signs that come faster
     * than they are taken become one. Never ends by itself.
     *
     * @param run external id
     */
    public Flux<String> changes(String run) {
        return changed.asFlux()
                .filter(id -> id.equals(run) || id.equals(ANY))
                .map(id -> run)
                .onBackpressureLatest();
    }

    /**
     * Ends when the service is being stopped. Waiting requests end with it: else a stop waits for them, and
     * they then find no database. Lifecycle's last phase is stopped first, before the web server.
     */
    public Mono<Void> stopping() {
        return Mono.defer(() -> ending.asMono());
    }

    @Override
    public void start() {
        ending = Sinks.empty();
        listening = watch.looks(changed.asFlux()).subscribe();
    }

    @Override
    public void stop() {
        ending.tryEmitEmpty();
        Disposable current = listening;
        if (current != null) {
            current.dispose();
            listening = null;
        }
    }

    @Override
    public boolean isRunning() {
        return listening != null;
    }
}
