package dev.loomboard.database;

import dev.loomboard.kernel.DatabaseListener;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.postgresql.api.Notification;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.postgresql.api.PostgresqlResult;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
import reactor.util.retry.Retry;

/** One connection of its own listens to PostgreSQL's channels for all listeners. When it is lost it is made again. */
@Service
class ListeningService implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ListeningService.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Between two looks whether the connection still stands: one whose other end vanished says nothing, as one does on which nothing is said. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    private final PostgresqlConnectionFactory connections;
    private final List<DatabaseListener> listeners;
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private volatile @Nullable Disposable listening;

    ListeningService(R2dbcConnectionDetails details, List<DatabaseListener> listeners) {
        this.listeners = List.copyOf(listeners);
        connections = new PostgresqlConnectionFactoryProvider()
                .create(details.getConnectionFactoryOptions()
                        .mutate()
                        .option(PostgresqlConnectionFactoryProvider.TCP_KEEPALIVE, true)
                        .build());
    }

    @Override
    public void start() {
        listening = Flux.usingWhen(connections.create(), this::listen, PostgresqlConnection::close)
                .doFinally(how -> listeners.forEach(DatabaseListener::ends))
                .doOnError(this::interrupted)
                .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, PAUSE))
                .repeatWhen(ended -> ended.delayElements(PAUSE))
                .subscribe();
    }

    private void interrupted(Throwable why) {
        if (interrupted.compareAndSet(false, true)) { // said once, not at every attempt
            LOG.warn("Live updates are interrupted: {}", why.toString());
        }
    }

    @Override
    public void stop() {
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

    /** Hears before it asks to be told, so that nothing is missed. */
    private Flux<Notification> listen(PostgresqlConnection connection) {
        Mono<Void> begun = Flux.fromIterable(listeners)
                .concatMap(listener -> connection
                        .createStatement("listen " + listener.channel())
                        .execute()
                        .flatMap(PostgresqlResult::getRowsUpdated))
                .then(Mono.fromRunnable(this::begun));
        return connection.getNotifications().doOnNext(this::tell).takeUntilOther(begun.then(lost(connection)));
    }

    private void begun() {
        interrupted.set(false);
        listeners.forEach(DatabaseListener::begins);
    }

    /** Never says anything but an error. */
    private static Mono<Void> lost(PostgresqlConnection connection) {
        return Flux.interval(LOOK)
                .onBackpressureDrop()
                .concatMap(time -> Mono.from(connection.validate(ValidationDepth.REMOTE))
                        .filter(stands -> stands)
                        .switchIfEmpty(Mono.error(() -> new IllegalStateException("the connection is lost")))
                        .timeout(LOOK))
                .then();
    }

    private void tell(Notification said) {
        String text = Objects.requireNonNullElse(said.getParameter(), "");
        for (DatabaseListener listener : listeners) {
            if (listener.channel().equals(said.getName())) {
                listener.says(text);
            }
        }
    }
}
