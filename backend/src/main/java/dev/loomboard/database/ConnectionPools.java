package dev.loomboard.database;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.r2dbc.connection.lookup.AbstractRoutingConnectionFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The service's connections, in a pool for each use. So however many agents upload at once, no heartbeat and no page waits
 * behind them for a connection.
 */
final class ConnectionPools extends AbstractRoutingConnectionFactory implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Who is served. */
    enum Use {
        UPLOADS(6),
        /** Heartbeats and claims. */
        AGENTS(4),
        /** Ends of runs, which are judged meanwhile. */
        ENDS(2),
        OTHERS(8);

        private final int most;

        Use(int most) {
            this.most = most;
        }

        private String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Use, ConnectionPool> pools = new EnumMap<>(Use.class);

    ConnectionPools(ConnectionFactory database) {
        for (Use use : Use.values()) {
            pools.put(use, pool(use, database));
        }
        setTargetConnectionFactories(pools);
        setDefaultTargetConnectionFactory(database); // asked what kind of database it is, never for a connection
        afterPropertiesSet();
    }

    private static ConnectionPool pool(Use use, ConnectionFactory database) {
        return new ConnectionPool(ConnectionPoolConfiguration.builder(database)
                .name(use.tag())
                .initialSize(1)
                .maxSize(use.most)
                .acquireRetry(use.most) // after a restart of the database all that were kept are dead
                .maxAcquireTime(PATIENCE)
                .maxCreateConnectionTime(PATIENCE)
                .build());
    }

    /** What subscribes with this takes its connections from that pool. */
    static Context from(Use use, Context context) {
        return context.put(Use.class, use);
    }

    /** Shows an operator how many connections there are, and how many callers wait for one. */
    void show(MeterRegistry registry) {
        pools.forEach((use, pool) -> pool.getMetrics().ifPresent(of -> {
            gauge(registry, use, "acquired", of::acquiredSize, "Connections to the database in use");
            gauge(registry, use, "idle", of::idleSize, "Connections to the database that wait for use");
            gauge(registry, use, "pending", of::pendingAcquireSize, "Callers who wait for a connection");
            gauge(registry, use, "max", of::getMaxAllocatedSize, "Connections that there may be");
        }));
    }

    private static void gauge(MeterRegistry registry, Use use, String what, Supplier<Number> size, String words) {
        Gauge.builder("loomboard.database.pool." + what, size)
                .description(words)
                .tag("pool", use.tag())
                .register(registry);
    }

    @Override
    protected Mono<Object> determineCurrentLookupKey() {
        return Mono.deferContextual(
                context -> Mono.just(context.hasKey(Use.class) ? context.<Use>get(Use.class) : Use.OTHERS));
    }

    @Override
    public void close() {
        pools.values().forEach(ConnectionPool::dispose);
    }
}
