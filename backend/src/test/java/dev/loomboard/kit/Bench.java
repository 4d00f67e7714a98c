package dev.loomboard.kit;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.stats.Methodology;
import dev.loomboard.stats.latency.Latencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;

/** A machine with a JDK, and cells on it whose trials upload what an agent would. Rows only: nothing is rolled up. */
public final class Bench {

    private static final long SECOND = 1_000_000_000L;
    private static final int SECONDS = 12; // measured of each trial
    public static final String SCENARIO = "io@1?delayMs=100;constant:rate=300,seconds=12";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final long MS = 1_000_000L;
    private static final double DELAY = 100; // ms, of all its cells

    private final DatabaseClient database;
    private final long workspace;
    private final long machine;
    private final long matrix;
    private int runs;

    /** A cell and its run, by internal keys. */
    public record Cell(long id, long run, String external) {}

    /** A trial by both keys. */
    public record Trial(long id, String external) {}

    public Bench(DatabaseClient database, String slug) {
        this.database = database;
        workspace = key("select workspace_id from workspace where slug = 'main'");
        machine = key("""
                insert into machine (external_id, workspace_id, slug, name, class_hash, class_label, admitted_at, fingerprint)
                values ('%s', %d, '%s', 'Bench', 'class', '2 cores, load on the same host', now(), '{"placement": "same-host", "cpu": {"threads": 4}}')
                returning machine_id""".formatted(ExternalId.random("mac").value(), workspace, slug));
        matrix = key("""
                insert into matrix (external_id, workspace_id, slug, title, spec)
                values ('%s', %d, '%s', 'Quick', coalesce((select spec from matrix where slug = 'starter' limit 1), '{}'))
                returning matrix_id""".formatted(ExternalId.random("mtx").value(), workspace, slug));
    }

    /** Makes it one whose results may rank. */
    public void qualify() {
        run(
                "update machine set qualified_at = now(), fingerprint = fingerprint || '{\"placement\": \"pinned\"}' where machine_id = "
                        + machine);
    }

    /** As of an agent that does not say how many CPUs it has. */
    public void concealCpus() {
        run("update machine set fingerprint = fingerprint - 'cpu' where machine_id = " + machine);
    }

    public long jdk(String slug, int feature, int build) {
        return key("""
                insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability, architecture,
                                       build_order, lineage, lineage_hash)
                values ('%1$s', '%1$s', 'temurin', '%2$d+%3$d', %2$d, 'ga', 'amd64', '{%2$d,0,0,0,0,0,1,%3$d}', '{}', 'l')
                returning jdk_build_id""".formatted(slug, feature, build));
    }

    public Cell cell(long jdk, String visibility) {
        return cell(jdk, visibility, new Point(SCENARIO, 0, "{}"));
    }

    /**
     * @param options as an array of SQL
     * @param limits as JSON
     */
    public record Point(String scenario, int ordinal, String options, String limits) {
        public Point(String scenario, int ordinal, String options) {
            this(scenario, ordinal, options, "{}");
        }
    }

    /** Each in a run of its own. */
    public Cell cell(long jdk, String visibility, Point point) {
        return cell(newRun(visibility), jdk, point);
    }

    public long newRun(String visibility) {
        return key("""
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, methodology, created_by, order_seed)
                values ('%s', %d, %d, %d, 'Run %d', '%s', '{"protocol": "quick/1"}', '%s', 'test', 1) returning run_id""".formatted(
                ExternalId.random("run").value(), workspace, machine, matrix, ++runs, visibility, Methodology.VERSION));
    }

    /** In a run that may have others. */
    public Cell cell(long run, long jdk, Point point) {
        String external = ExternalId.random("cel").value();
        long cell = key("""
                insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model, workload,
                                  workload_version, params, declared_delay_ms, load, scenario_key, collector, jvm_options, limits, jdk_build_id)
                values ('%s', %d, %d, %d, 'spring-mvc', 'virtual', 'virtual-threads', 'io', 1, '{"delayMs": 100}', 100,
                        '{"profile": "constant", "rate": 300, "seconds": 12}', '%s', 'G1', '%s', '%s', %d) returning cell_id""".formatted(
                external, workspace, run, point.ordinal(), point.scenario(), point.options(), point.limits(), jdk));
        return new Cell(cell, run, external);
    }

    public Trial planned(Cell cell, String kind, int ordinal, int fencing) {
        String external = ExternalId.random("trl").value();
        long id = key("""
                insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing)
                values ('%s', %d, %d, %d, '%s', %d,
                        (select count(*) from trial where run_id = %3$d and fencing = %7$d), %7$d) returning trial_id""".formatted(external, workspace, cell.run(), cell.id(), kind, ordinal, fencing));
        return new Trial(id, external);
    }

    /** Its batches are stored and its end was told. */
    public Trial ended(Trial trial, String state, String validity) {
        run("""
                update trial set state = '%s', validity = nullif('%s', ''), reason = nullif('%s', ''), started_at = '2026-11-21T02:00:00Z',
                       finished_at = timestamptz '2026-11-21T02:01:00Z' + make_interval(secs => trial_id), server_digest = 'digest',
                       fingerprint_hash = 'host', class_hash = 'class', agent_version = '0.1.0',
                       start_facts = '{"heapMiB": 512}',
                       end_facts = jsonb_build_object('startupMs', 2000.5, 'warmth', '[{"step": 0, "criterion": "step/1", "hitsBefore": 24000, "collections": 1, "threadSeconds": null, "unmet": []}]'::jsonb, 'contention', case when kind = 'diagnostic' then '{"source": "jvmti", "monitorTotal": 36, "monitorVirtual": 12}'::jsonb end)
                 where trial_id = %d""".formatted(state, validity, validity.equals("valid") ? "" : "the generator lagged", trial.id()));
        return trial;
    }

    /** With twelve measured seconds at 300/s whose median is {@code millis}. */
    public Trial measured(Trial trial, double millis, String validity) {
        Latencies second = Latencies.none().with((long) (millis * MS), 240).with((long) ((millis + 5) * MS), 60);
        Latencies all = Latencies.none();
        for (int i = 0; i < SECONDS; i++) {
            all = all.plus(second);
        }
        Latencies excess = Latencies.none()
                .with((long) (Math.max(0, millis - DELAY) * MS), 2880)
                .with((long) (Math.max(0, millis - DELAY + 5) * MS), 720);
        windows(trial, second.encode());
        bind("""
                insert into step (workspace_id, trial_id, ordinal, rate, start_ns, end_ns, offered, sent, completed, failed,
                                  unfinished, validity, health, outcomes, percentiles, service, response, excess, lag)
                values (%d, %d, 0, 300, 10000000000, 22000000000, 3600, 3600, 3600, 0, 0, '%s', '{"cpuShare": 0.2}',
                        '{"statusCodes": {"200": 3600}, "completedInStep": 3600, "timeoutNs": 30000000000}', '{}', :hdr, :hdr, :excess, :hdr)""".formatted(workspace, trial.id(), validity), Map.of("hdr", all.encode(), "excess", excess.encode()));
        phases(trial);
        samples(trial);
        return ended(trial, "done", validity);
    }

    /** Makes a measured trial one of a closed load, which completed so many requests per second. */
    public Trial closed(Cell cell, Trial trial, int connections, double perSecond) {
        run(
                "update cell set load = '{\"profile\": \"closed\", \"connections\": %d, \"seconds\": 12}' where cell_id = %d"
                        .formatted(connections, cell.id()));
        run("""
                update step set rate = null, connections = %d, response = null, lag = null,
                       excess = null, outcomes = outcomes || '{"completedInStep": %d}' where trial_id = %d""".formatted(connections, Math.round(perSecond * 12), trial.id()));
        run(
                "update load_window set response = null, lag = null, response_p50_ns = null, response_p99_ns = null where trial_id = "
                        + trial.id());
        return trial;
    }

    /** One per measured second, all alike. */
    private void windows(Trial trial, byte[] hdr) {
        bind("""
                insert into load_window (trial_id, at_ns, phase, step, intended, sent, completed, failed, service, response, lag,
                                         response_p50_ns, response_p99_ns, service_p50_ns, service_p99_ns)
                select %d, second * %d::bigint, 'measure', 0, 300, 300, 300, 0, :hdr, :hdr, :hdr, 101000000, 106000000, 101000000, null
                  from generate_series(10, 9 + %d) second""".formatted(trial.id(), SECOND, SECONDS), Map.of("hdr", hdr));
    }

    private void phases(Trial trial) {
        run("insert into trial_phase (trial_id, at_ns, phase) values (%1$d, 0, 'start'), (%1$d, 10000000000, 'measure')"
                .formatted(trial.id()));
    }

    /** In two batches: CPU at half a core, memory with a gap. */
    private void samples(Trial trial) {
        List<String> chunks = new ArrayList<>();
        for (int batch = 0; batch < 2; batch++) {
            List<Long> at = new ArrayList<>();
            List<String> cpu = new ArrayList<>();
            List<String> rss = new ArrayList<>();
            for (int i = batch * 13; i < batch * 13 + 13; i++) {
                at.add(i * SECOND);
                cpu.add(String.valueOf(i * 0.25));
                rss.add(i == 12 ? "null" : String.valueOf((200L + i) << 20));
            }
            for (String metric : List.of("proc.cpu_user_s", "proc.cpu_sys_s", "proc.rss_bytes")) {
                chunks.add("(%d, '%s', %d, array%s, array%s::float8[])"
                        .formatted(trial.id(), metric, batch, at, metric.startsWith("proc.cpu") ? cpu : rss));
            }
        }
        run("insert into sample_chunk (trial_id, metric, seq, at_ns, value) values " + String.join(", ", chunks));
    }

    private long key(String sql) {
        return Objects.requireNonNull(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                .one()
                .block(TIMEOUT));
    }

    private void run(String sql) {
        database.sql(sql).then().block(TIMEOUT);
    }

    private void bind(String sql, Map<String, Object> values) {
        database.sql(sql).bindValues(values).then().block(TIMEOUT);
    }
}
