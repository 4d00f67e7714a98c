package dev.loomboard.kit;

import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** Base of every test with a database: a test waits for what it asked, and never without end. */
public abstract class DatabaseTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    protected final DatabaseClient database;

    DatabaseTest(DatabaseClient database) {
        this.database = database;
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
    protected final long number(String sql) {
        return await(database.sql(sql).map(row -> row.get(0, Long.class)).one());
    }

    /** Runs a statement for its effect. */
    protected final void execute(String sql) {
        complete(database.sql(sql).then());
    }
}
