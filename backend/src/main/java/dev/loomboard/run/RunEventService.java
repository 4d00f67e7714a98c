package dev.loomboard.run;

import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.postgresql.api.Notification;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.postgresql.api.PostgresqlResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Service;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

/**
 * Reports changes of a run to its watchers, whichever replica or agent changed it. One connection of its own listens to
 * PostgreSQL's channel for all watchers; when it is lost it is made again, and every watcher looks once.
 */
@Service
public class RunEventService implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RunEventService.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Anything may have changed: sent when listening begins (again). */
    static final String ANY = "";

    private final PostgresqlConnectionFactory connections;
    private final QueueWatchService watch;
    private final Sinks.Many<String> changed = Sinks.many().multicast().directBestEffort();
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private volatile @Nullable Disposable listening;
    private volatile Sinks.Empty<Void> ending = Sinks.empty();

    RunEventService(R2dbcConnectionDetails details, QueueWatchService watch) {
        this.watch = watch;
        connections = new PostgresqlConnectionFactoryProvider()
                .create(details.getConnectionFactoryOptions()
                        .mutate()
                        .option(PostgresqlConnectionFactoryProvider.TCP_KEEPALIVE, true)
                        .build());
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
        Flux<String> heard = listen().doOnError(this::interrupted)
                .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, PAUSE))
                .repeatWhen(ended -> ended.delayElements(PAUSE));
        listening = Flux.<Object>merge(watch.looks(changed.asFlux()), heard).subscribe();
    }

    private void interrupted(Throwable why) {
        if (interrupted.compareAndSet(false, true)) { // said once, not at every attempt
            LOG.warn("Live updates are interrupted: {}", why.toString());
        }
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

    private Flux<String> listen() {
        return Flux.usingWhen(connections.create(), this::notifications, PostgresqlConnection::close);
    }

    private Flux<String> notifications(PostgresqlConnection connection) {
        return connection
                .createStatement("listen run_changed")
                .execute()
                .flatMap(PostgresqlResult::getRowsUpdated)
                .then(Mono.fromRunnable(() -> {
                    interrupted.set(false);
                    changed.tryEmitNext(ANY);
                }))
                .thenMany(connection.getNotifications())
                .map(RunEventService::run)
                .doOnNext(changed::tryEmitNext);
    }

    private static String run(Notification notification) {
        String id = notification.getParameter();
        return id == null ? ANY : id;
    }
}
