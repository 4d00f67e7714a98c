package dev.loomboard.retention;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.whole;

import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds samples that are old enough, and removes those of a trial. */
@Repository
class RetentionStore {

    /** Of one workspace, in one night. */
    private static final int MOST_TRIALS = 20_000;

    static final String OLD = """
            select t.trial_id from trial t join run r using (run_id)
             where t.workspace_id = :workspace and t.samples_removed_at is null and t.finished_at < :before
               and r.state in ('done', 'failed', 'cancelled')
               and exists (select from sample_chunk c where c.trial_id = t.trial_id)
             order by t.finished_at limit :most
            """;

    private final DatabaseClient database;

    RetentionStore(DatabaseClient database) {
        this.database = database;
    }

    /** A workspace, and for how many days its samples are kept. */
    record Rule(long workspace, int days) {}

    /** A trial of an over run, which is locked, as each upload to it locks it. */
    record Locked(long workspace) {}

    /** @param days where nothing else was decided for a workspace; 0: for ever. Plan: workspaces are few. */
    Flux<Rule> rules(int days) {
        return database.sql("""
                        select w.workspace_id, coalesce(l.sample_days, :days) as days
                          from workspace w left join workspace_limit l using (workspace_id)
                         where coalesce(l.sample_days, :days) > 0
                         order by w.workspace_id limit 100000
                        """)
                .bind("days", days)
                .map(row -> new Rule(number(row, "workspace_id"), whole(row, "days")))
                .all();
    }

    /** Trials with samples that ended before, the oldest first. Plan: trial_samples_ix, run_pk, sample_chunk_pk. */
    Flux<Long> old(long workspace, Instant before) {
        return database.sql(OLD)
                .bind("workspace", workspace)
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("most", MOST_TRIALS)
                .map(row -> number(row, "trial_id"))
                .all();
    }

    /** Empty: another replica was quicker. */
    Mono<Locked> lock(long trial) {
        return database.sql("""
                        select t.workspace_id from trial t join run r using (run_id)
                         where t.trial_id = :trial and t.samples_removed_at is null for no key update of r
                        """)
                .bind("trial", trial)
                .map(row -> new Locked(number(row, "workspace_id")))
                .one();
    }

    /** What the workspace's quota counts for its samples; uploads that were not counted apart count no more. By batch_pk. */
    Mono<Long> bytes(long trial) {
        return database.sql("""
                        select coalesce(sum(coalesce(sample_bytes, bytes)), 0)::bigint as bytes from batch where trial_id = :trial
                        """)
                .bind("trial", trial)
                .map(row -> number(row, "bytes"))
                .one();
    }

    /** A trial has at most as many as the wire contract allows: a bounded step. By sample_chunk_pk. */
    Mono<Void> remove(long trial, Instant now) {
        return database.sql("delete from sample_chunk where trial_id = :trial")
                .bind("trial", trial)
                .then()
                .then(Mono.defer(
                        () -> database.sql("update trial set samples_removed_at = :now where trial_id = :trial")
                                .bind("now", now.atOffset(ZoneOffset.UTC))
                                .bind("trial", trial)
                                .then()));
    }
}
