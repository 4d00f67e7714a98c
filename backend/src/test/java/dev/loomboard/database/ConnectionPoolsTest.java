package dev.loomboard.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.database.ConnectionPools.Use;
import dev.loomboard.kit.TestDatabases;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Who takes all connections of one use keeps nobody of another waiting. */
final class ConnectionPoolsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void uploads_that_hold_all_their_connections_leave_those_of_agents_and_people() {
        DatabaseUrl url = TestDatabases.fresh();
        MeterRegistry figures = new SimpleMeterRegistry();
        try (ConnectionPools pools = new ConnectionPools(ConnectionFactories.get(DatabaseConfig.r2dbc(url)))) {
            pools.show(figures);
            int most = (int) figure(figures, "max", "uploads");
            List<Connection> held = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                held.add(await(taken(pools, Use.UPLOADS)));
            }
            var waiting = taken(pools, Use.UPLOADS).subscribe(Connection::close, refused -> {});
            assertThat(figure(figures, "acquired", "uploads")).isEqualTo(most);
            assertThat(figure(figures, "pending", "uploads")).isEqualTo(1);

            held.add(await(taken(pools, Use.AGENTS)));
            held.add(await(Mono.<Connection>from(pools.create())));
            assertThat(figure(figures, "acquired", "agents")).isEqualTo(1);
            assertThat(figure(figures, "acquired", "others")).isEqualTo(1);

            waiting.dispose();
            Flux.fromIterable(held).concatMap(Connection::close).blockLast(PATIENCE);
        } finally {
            TestDatabases.drop(url);
        }
    }

    private static Connection await(Mono<Connection> connection) {
        return Objects.requireNonNull(connection.block(PATIENCE));
    }

    private static Mono<Connection> taken(ConnectionPools pools, Use use) {
        return Mono.<Connection>from(pools.create()).contextWrite(context -> ConnectionPools.from(use, context));
    }

    private static double figure(MeterRegistry figures, String what, String use) {
        return figures.get("loomboard.database.pool." + what)
                .tag("pool", use)
                .gauge()
                .value();
    }
}
