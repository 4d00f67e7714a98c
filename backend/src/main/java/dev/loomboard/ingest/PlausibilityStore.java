package dev.loomboard.ingest;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.rollup.HostCpusSql;
import io.r2dbc.spi.Readable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** What decides beside a trial's own numbers whether it can be. Called in the transaction that seals the trial. */
@Repository
class PlausibilityStore {

    /** Of trial t, by our clock; an agent that did not say what its clock shows is taken by its word. */
    private static final String TIMES = """
             cross join lateral (select t.started_at - make_interval(secs => coalesce(t.skew_ns, 0)::float8 / 1e9) as began) b
             cross join lateral (
                   select b.began + make_interval(secs => greatest(
                            (select max(p.at_ns) from trial_phase p where p.trial_id = t.trial_id),
                            (select max(s.end_ns) from step s where s.trial_id = t.trial_id))::float8 / 1e9) as ended) e
            """;

    private final DatabaseClient database;

    PlausibilityStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * Only trials whose last batch came
     * after this one began can overlap it. Plan: primary keys, machine_host_since_ix, trial_run_ix, trial_phase_pk,
     * step_ordinal_uq.
     */
    Mono<Plausibility.Circumstances> circumstances(long trial) {
        return database.sql("""
                        with mine as (
                          select t.trial_id, t.run_id, t.cell_id, t.fingerprint_hash, t.finished_at, b.began, e.ended
                            from trial t """ + TIMES + """
                           where t.trial_id = :trial)
                        select r.started_at as claimed, mine.began, mine.ended, mine.finished_at, o.other, o.seconds,
                               c.jdk_build_id <> 0 as jvm, '-XX:+UseLargePages' = any(c.jvm_options) as large_pages, host.cpus
                          from mine join run r using (run_id) join cell c using (cell_id)
                        """ + HostCpusSql.join("mine", "r") + """
                          left join lateral (
                               select t.external_id as other,
                                      extract(epoch from least(e.ended, mine.ended) - greatest(b.began, mine.began))::float8 as seconds
                                 from trial t """ + TIMES + """
                                where t.run_id = mine.run_id and t.trial_id <> mine.trial_id and t.state = 'done' and not t.late
                                  and t.validity is distinct from 'invalid' and t.finished_at >= mine.began
                                  and e.ended > mine.began and b.began < mine.ended
                                order by seconds desc, t.trial_id limit 1) o on true
                        """)
                .bind("trial", trial)
                .map(PlausibilityStore::read)
                .one();
    }

    /** It stays what it is, and counts for nothing. */
    Mono<Void> refute(long trial, String reason) {
        return database.sql("update trial set validity = 'invalid', reason = :reason where trial_id = :trial")
                .bind("reason", reason)
                .bind("trial", trial)
                .then();
    }

    private static Plausibility.Circumstances read(Readable row) {
        BigDecimal cpus = row.get("cpus", BigDecimal.class);
        return new Plausibility.Circumstances(
                instantOrNull(row, "claimed"),
                instantOrNull(row, "began"),
                instantOrNull(row, "ended"),
                instant(row, "finished_at"),
                overlap(row),
                cpus == null ? null : Double.valueOf(cpus.doubleValue()),
                flag(row, "jvm"),
                flag(row, "large_pages"));
    }

    private static Plausibility.@Nullable Overlap overlap(Readable row) {
        String other = textOrNull(row, "other");
        return other == null
                ? null
                : new Plausibility.Overlap(
                        other,
                        Duration.ofMillis(Math.round(1000 * Objects.requireNonNull(row.get("seconds", Double.class)))));
    }
}
