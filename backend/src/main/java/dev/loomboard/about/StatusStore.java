package dev.loomboard.about;

import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Counts what the caller may see; one query over machines and unfinished runs, both few. */
@Repository
class StatusStore {

    private static final Duration ONLINE = Duration.ofMinutes(2);

    private final DatabaseClient database;
    private final Clock clock;

    StatusStore(DatabaseClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    Mono<StatusPage> read(Caller caller) {
        Instant now = clock.instant();
        long started = System.nanoTime();
        return VisibleSql.query(database, caller, """
                        with m as (select last_seen_at from machine
                                    where revoked_at is null and visible(machine)),
                             r as (select state from run
                                    where state in ('queued', 'leased', 'running', 'disconnected')
                                      and visible(run))
                        select (select count(*)::int from m) as machines,
                               (select count(*)::int from m where last_seen_at > :since) as online,
                               (select count(*)::int from r where state = 'queued') as queued,
                               (select count(*)::int from r where state in ('leased', 'running')) as active,
                               (select count(*)::int from r where state = 'disconnected') as disconnected,
                               (select max(measured_at) from leaderboard_entry
                                 where visible(leaderboard_entry)) as last_trial
                        """)
                .bind("since", now.minus(ONLINE).atOffset(ZoneOffset.UTC))
                .map(row -> new StatusPage(
                        now,
                        Runtime.version().toString(),
                        (System.nanoTime() - started) / 1e6,
                        whole(row, "online"),
                        whole(row, "machines"),
                        whole(row, "queued"),
                        whole(row, "active"),
                        whole(row, "disconnected"),
                        instantOrNull(row, "last_trial")))
                .one();
    }
}
