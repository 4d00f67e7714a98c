package dev.loomboard.kit;

import dev.loomboard.database.DatabaseConfig;
import dev.loomboard.database.DatabaseUrl;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import tools.jackson.databind.json.JsonMapper;

/** Base of every store's test: a real PostgreSQL, a database of the class's own, no Spring context. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreTest extends DatabaseTest {

    protected final DatabaseUrl url;
    private final ConnectionPool pool;
    protected final TransactionalOperator transaction;
    protected final JsonMapper json = JsonMapper.builder().build();

    protected StoreTest() {
        this(TestDatabases.fresh());
    }

    private StoreTest(DatabaseUrl url) {
        this(url, pool(url));
    }

    private StoreTest(DatabaseUrl url, ConnectionPool pool) {
        super(DatabaseClient.create(pool));
        this.url = url;
        this.pool = pool;
        transaction = TransactionalOperator.create(new R2dbcTransactionManager(pool));
    }

    @BeforeAll
    void openDatabase() {
        await(database.sql("select 1").fetch().first());
    }

    @AfterAll
    void dropDatabase() {
        pool.dispose();
        TestDatabases.drop(url);
    }

    /**
     * How a query would be answered. In a test's small tables a scan is cheaper: forbidden, what has no index still
     * shows as one.
     */
    protected final List<String> plan(String sql) {
        return await(transaction.transactional(database.sql("set local enable_seqscan = off")
                .then()
                .thenMany(database.sql("explain " + sql)
                        .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                        .all())
                .collectList()));
    }

    private static ConnectionPool pool(DatabaseUrl url) {
        return new ConnectionPool(
                ConnectionPoolConfiguration.builder(ConnectionFactories.get(DatabaseConfig.r2dbc(url)))
                        .initialSize(1)
                        .maxSize(8)
                        .build());
    }
}
