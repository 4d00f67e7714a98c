package dev.loomboard.kit;

import dev.loomboard.ingest.BatchService;
import dev.loomboard.stats.latency.Latencies;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * What an agent stores of a planned trial whose load is a search with the latency at 70 %: its steps, their seconds and its end.
 * One step was disturbed and made again, one below the rate is in doubt; neither says anything of the result.
 */
public final class SearchedTrial {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Instant FIRST = Instant.parse("2026-11-20T00:10:00Z");
    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000L;
    private static final int LONG = 15; // s of a step whose numbers count

    private record Step(double share, int seconds, String role, String verdict, String validity) {}

    private static final Step[] STEPS = {
        new Step(0.5, 5, "explore", "pass", "suspect"),
        new Step(1.5, 5, "explore", "invalid", "invalid"),
        new Step(1.5, 5, "explore", "fail", "valid"),
        new Step(1, 5, "narrow", "pass", "valid"),
        new Step(1.02, 5, "narrow", "fail", "valid"),
        new Step(1, LONG, "confirm", "pass", "valid"),
        new Step(0.7, LONG, "curve", "pass", "valid")
    };

    private final Service service;
    private final DatabaseClient database;
    private final long trial;
    private final Instant began;

    /**
     * @param external id of the trial
     * @param nth of its run: it begins when the one before has ended
     */
    public SearchedTrial(Service service, String external, int nth) {
        this.service = service;
        this.database = service.bean(DatabaseClient.class);
        this.trial = Objects.requireNonNull(database.sql("select trial_id from trial where external_id = :trial")
                .bind("trial", external)
                .map(row -> Objects.requireNonNull(row.get("trial_id", Long.class)))
                .one()
                .block(TIMEOUT));
        this.began = FIRST.plus(Duration.ofMinutes(5L * nth));
    }

    /**
     * Gives its internal key. Its numbers are not made yet.
     *
     * @param found the highest rate
     * @param resolved a rate just above it failed
     * @param steady its warm-up met its criterion
     */
    public long ended(double found, boolean resolved, boolean steady) {
        StringBuilder judged = new StringBuilder();
        for (int i = 0; i < STEPS.length; i++) {
            Step step = STEPS[i];
            put(i, step, Math.round(found * step.share() * 10) / 10.0);
            judged.append(i == 0 ? "" : ",")
                    .append(
                            "{\"ordinal\":%d,\"role\":\"%s\",\"verdict\":\"%s\",\"retry\":false,\"recovered\":true,\"reason\":null}"
                                    .formatted(i, step.role(), step.verdict()));
        }
        run("""
                update trial set started_at = '%s', server_digest = '%s', fingerprint_hash = '%s', class_hash = '%s',
                       agent_version = '0.1.0', start_facts = '{"heapMiB": 512}', end_facts = '%s' where trial_id = %d""".formatted(
                        began,
                        "1".repeat(64),
                        "a".repeat(64),
                        "b".repeat(64),
                        end(found, resolved, steady, judged.toString()),
                        trial));
        service.bean(BatchService.class)
                .endImported(trial, began.plus(Duration.ofMinutes(4)))
                .as(service.bean(TransactionalOperator.class)::transactional)
                .block(TIMEOUT);
        return trial;
    }

    private static String end(double found, boolean resolved, boolean steady, String judged) {
        return String.format(Locale.ROOT, """
                {"outcome": "done", "batches": 1, "startupMs": 2000.5,
                 "steady": {"criterion": "warm/3", "verdict": "%s", "warmupMs": 60000, "drift": null, "phases": []},
                 "warmth": [{"step": 5, "criterion": "step/2", "hitsBefore": 90000, "unmet": []},
                            {"step": 6, "criterion": "step/2", "hitsBefore": 150000, "unmet": []}],
                 "search": {"objective": {"quantile": 0.99, "responseMs": 150, "success": 1, "achieved": 0.99},
                   "maxRate": %.1f, "confirmed": true, "resolved": %s, "why": "it ended", "bounds": [], "steps": [%s]}}
                """, steady ? "steady" : "no_steady_state", found, resolved, judged);
    }

    private void put(int ordinal, Step step, double rate) {
        long hits = Math.round(rate * step.seconds());
        long from = (60 + 20L * ordinal) * SECOND;
        byte[] all = latencies(hits);
        bind(
                String.format(
                        Locale.ROOT,
                        """
                insert into step (workspace_id, trial_id, ordinal, rate, start_ns, end_ns, offered, sent, completed, failed,
                                  unfinished, validity, reason, health, outcomes, percentiles, service, response, lag)
                select workspace_id, trial_id, %d, %.1f, %d, %d, %d, %5$d, %5$d, 0, 0, '%6$s', nullif('%7$s', ''), '{"cpuShare": 0.2}',
                       '{"statusCodes": {"200": %5$d}, "completedInStep": %5$d, "timeoutNs": 30000000000}', '{}', :hdr, :hdr, :hdr
                  from trial where trial_id = %8$d""",
                        ordinal,
                        rate,
                        from,
                        from + step.seconds() * SECOND,
                        hits,
                        step.validity(),
                        step.validity().equals("valid") ? "" : "the hypervisor took CPU time",
                        trial),
                all);
        bind(
                """
                insert into load_window (trial_id, at_ns, phase, step, intended, sent, completed, failed, service, response, lag,
                                         response_p50_ns, response_p99_ns, service_p50_ns, service_p99_ns)
                select %d, %d + second * %d::bigint, 'measure', %d, %5$d, %5$d, %5$d, 0, :hdr, :hdr, :hdr, 101000000, 106000000, 101000000, null
                  from generate_series(0, %6$d) second""".formatted(trial, from, SECOND, ordinal, Math.round(rate), step.seconds() - 1),
                latencies(Math.round(rate)));
    }

    /** Of which three in a hundred take longer, one of them much longer. */
    private static byte[] latencies(long hits) {
        return Latencies.none()
                .with(101 * MS, hits - hits / 50 - hits / 100)
                .with(106 * MS, hits / 50)
                .with(120 * MS, hits / 100)
                .encode();
    }

    private void run(String sql) {
        database.sql(sql).then().block(TIMEOUT);
    }

    private void bind(String sql, byte[] hdr) {
        database.sql(sql).bindValues(Map.of("hdr", hdr)).then().block(TIMEOUT);
    }
}
