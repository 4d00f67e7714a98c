package dev.loomboard.kit;

import dev.loomboard.database.DatabaseUrl;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Base of every store's test: a real PostgreSQL, a database of the class's own, no Spring context. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    protected final DatabaseUrl url = TestDatabases.fresh();
    private final ConnectionPool pool = new ConnectionPool(ConnectionPoolConfiguration.builder(connections())
            .initialSize(1)
            .maxSize(8)
            .build());
    protected final DatabaseClient database = DatabaseClient.create(pool);
    protected final TransactionalOperator transaction = TransactionalOperator.create(new R2dbcTransactionManager(pool));
    protected final JsonMapper json = JsonMapper.builder().build();

    @BeforeAll
    void openDatabase() {
        await(database.sql("select 1").fetch().first());
    }

    @AfterAll
    void dropDatabase() {
        pool.dispose();
        TestDatabases.drop(url);
    }

    /** What {@code mono} gives; fails when it gives nothing. */
    protected static <T> T await(Mono<T> mono) {
        T value = mono.block(TIMEOUT);
        if (value == null) {
            throw new AssertionError("expected a value, got none");
        }
        return value;
    }

    /** Waits for the end of {@code mono}, whatever it gives. */
    protected static void complete(Mono<?> mono) {
        mono.then().block(TIMEOUT);
    }

    protected static boolean isEmpty(Mono<?> mono) {
        return Boolean.FALSE.equals(mono.hasElement().block(TIMEOUT));
    }

    /** A single number, such as a count. */
    protected long number(String sql) {
        return await(database.sql(sql).map(row -> row.get(0, Long.class)).one());
    }

    /** Runs a statement for its effect. */
    protected void execute(String sql) {
        complete(database.sql(sql).then());
    }

    private PostgresqlConnectionFactory connections() {
        return new PostgresqlConnectionFactory(PostgresqlConnectionConfiguration.builder()
                .host(url.host())
                .port(url.port())
                .database(url.database())
                .username(url.user())
                .password(url.password())
                .build());
    }
}
