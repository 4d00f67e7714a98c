package dev.loomboard.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.StoreTest;
import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.postgresql.api.Notification;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.postgresql.api.PostgresqlResult;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which transactions say that a page may show what is no longer so: an idle service would else keep no page for long. */
final class ContentChangesTest extends StoreTest {

    private static final String LAST = "the last";

    @BeforeAll
    void rows() {
        Bench bench = new Bench(database, "changes");
        bench.planned(bench.cell(bench.jdk("changes-1", 25, 1), "public"), "scored", 1, 1);
    }

    @Test
    void what_no_page_shows_is_not_told() {
        assertThat(told(
                        "update machine set last_seen_at = now() + interval '1 s'",
                        "update run set lease_expires_at = now() + interval '1 s'",
                        "update trial set phase = case phase when 'warmup' then 'step' else 'warmup' end",
                        "update machine set name = name || '+' where false",
                        "update machine set name = name",
                        "delete from point"))
                .isZero();
    }

    @Test
    void what_they_show_is_told_once_a_transaction() {
        assertThat(told("update machine set name = name || '+'")).isOne();
        assertThat(told(
                        "insert into jdk_build_conflict select * from jdk_build_conflict",
                        "update run set title = title || '+'"))
                .isOne();
        assertThat(told("begin; update machine set name = name || '+'; update run set title = title || '+'; commit"))
                .isOne();
        assertThat(told("truncate notice_cell")).isOne();
    }

    /** Notifications come in the order of their transactions, so that nothing of these comes after the last. */
    private long told(String... statements) {
        return await(Mono.usingWhen(
                new PostgresqlConnectionFactoryProvider()
                        .create(DatabaseConfig.r2dbc(url))
                        .create(),
                connection -> heard(connection, List.of(statements)),
                PostgresqlConnection::close));
    }

    private Mono<Long> heard(PostgresqlConnection connection, List<String> statements) {
        Mono<Void> done = Flux.fromIterable(statements)
                .concatMap(statement -> database.sql(statement).then())
                .then(database.sql("notify content_changed, '" + LAST + "'").then());
        return run(connection, "listen content_changed")
                .thenMany(connection.getNotifications().mergeWith(done.then(Mono.empty())))
                .map(Notification::getParameter)
                .takeUntil(text -> Objects.equals(text, LAST))
                .count()
                .map(all -> all - 1);
    }

    private static Mono<Void> run(PostgresqlConnection connection, String sql) {
        return connection
                .createStatement(sql)
                .execute()
                .flatMap(PostgresqlResult::getRowsUpdated)
                .then();
    }
}
