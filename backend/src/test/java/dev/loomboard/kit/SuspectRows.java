package dev.loomboard.kit;

import dev.loomboard.jdk.JdkVersion;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.matrix.MatrixReader;
import dev.loomboard.verdict.VerdictService;
import io.r2dbc.spi.Readable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * A machine with two builds, a run on the newer of which changes are suspected, and what its reruns measure. All names are
 * new each time, because other tests use the same database.
 */
public final class SuspectRows {

    public static final String SCENARIO = "empty@1?;constant:rate=10,seconds=1";

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final String YAML = """
            schema: loomboard.matrix/1
            name: NAME
            title: A matrix whose cells move
            protocol: moving/1
            jdks: [all]
            servers: [{server: tiny, variants: [plain, other, third]}]
            scenarios: [{workload: empty, params: {}, load: {profile: constant, rate: 10, seconds: 1}}]
            collectors: []
            jvmOptions: []
            trials: {scored: 1, diagnostic: 0}
            phases: {warmup: [{seconds: 1}], settleSeconds: 0}
            """;

    private static final String INVENTORY = """
            {"servers": [{"name": "tiny", "title": "Tiny", "framework": "none", "java": 21, "collector": "G1",
              "digest": "DIGEST", "variants": [{"name": "plain", "concurrencyModel": "platform-threads"},
                {"name": "other", "concurrencyModel": "virtual-threads"}],
              "workloads": [{"name": "empty", "version": 1, "params": {}, "declaredDelayParam": null}]}],
             "excludedJdks": []}
            """.replace("DIGEST", "ab".repeat(32));

    public final String name = "m-" + ExternalId.random("tmp").value().substring(4);
    public final String machine = ExternalId.random("mac").value();
    public final String good = "temurin-25.0.1-" + name;
    public final String young = "temurin-25.0.2-" + name;
    /** The suspects' run: internal key, and external id. */
    public final long run;

    public final String runId = ExternalId.random("run").value();

    private final Service service;
    private final DatabaseClient database;
    private final String visibility;
    private int cells;

    public SuspectRows(Service service, String visibility) {
        this(service, visibility, "l");
    }

    /** @param lineage of the newer build; the older one's is l */
    public SuspectRows(Service service, String visibility, String lineage) {
        this.service = service;
        this.visibility = visibility;
        database = service.bean(DatabaseClient.class);
        String yaml = YAML.replace("NAME", name);
        MatrixReader.Reading reading = MatrixReader.read(yaml);
        if (!(reading instanceof MatrixReader.Read read)) {
            throw new AssertionError("the test's matrix is refused: " + reading);
        }
        run(
                """
                insert into matrix (external_id, workspace_id, slug, title, spec, source, visibility)
                select new_external_id('mtx'), workspace_id, :name, 'Matrix ' || :name, :spec::jsonb, :source, :visibility
                  from workspace where slug = 'main'
                """,
                Map.of(
                        "name",
                        name,
                        "spec",
                        service.bean(JsonMapper.class).writeValueAsString(read.spec()),
                        "source",
                        yaml,
                        "visibility",
                        visibility));
        run("""
                insert into machine (external_id, workspace_id, slug, name, visibility, inventory)
                select :id, workspace_id, :name, 'Machine ' || :name, :visibility, :inventory::jsonb
                  from workspace where slug = 'main'
                """, Map.of("id", machine, "name", name, "visibility", visibility, "inventory", INVENTORY));
        build(good, "25.0.1+9", "l");
        build(young, "25.0.2+9", lineage);
        run = number("""
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state, methodology,
                                 created_by, started_at, finished_at)
                select :id, m.workspace_id, m.machine_id, x.matrix_id, 'A night', :visibility, x.spec, 'done', '1', 'test',
                       now() - interval '1 hour', now()
                  from machine m join matrix x using (workspace_id) where m.external_id = :machine and x.slug = :name
                returning run_id
                """, Map.of("id", runId, "visibility", visibility, "machine", machine, "name", name));
    }

    /** Builds between the two, oldest first; gives their names. */
    public List<String> between(int number) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= number; i++) {
            names.add("temurin-25.0.1." + i + "-" + name);
            build(names.getLast(), "25.0.1." + i + "+9", "l");
        }
        return names;
    }

    /** Another one of the machine; gives its name. */
    public String build(String version) {
        String slug = "temurin-" + version.substring(0, version.indexOf('+')) + "-" + name;
        build(slug, version, "l");
        return slug;
    }

    /** The machine no longer has it. */
    public void remove(String build) {
        run(
                "update machine_jdk set present = false where jdk_build_id = (select jdk_build_id from jdk_build where slug = :slug)",
                Map.of("slug", build));
    }

    /** It is there again. */
    public void bring(String build) {
        run(
                "update machine_jdk set present = true where jdk_build_id = (select jdk_build_id from jdk_build where slug = :slug)",
                Map.of("slug", build));
    }

    /** The machine has a JDK provider. */
    public void provides() {
        run("""
                update machine set doctor = '{"schema": "loomboard.doctor/1", "at": "2026-11-27T01:00:00Z", "findings":
                    [{"check": "jdk-provider", "severity": "info", "state": "ok", "found": "It fares well."}]}'
                 where external_id = :machine
                """, Map.of("machine", machine));
    }

    private void build(String slug, String version, String lineage) {
        run(
                """
                with b as (
                  insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability, architecture,
                                         build_order, lineage, lineage_hash)
                  values (:slug, :slug, 'temurin', :version, 25, 'ga', 'amd64', :order, '{}', :lineage)
                  returning jdk_build_id)
                insert into machine_jdk (machine_id, jdk_build_id, present, agent_slug)
                select m.machine_id, b.jdk_build_id, true, :slug from b, machine m where m.external_id = :machine
                """,
                Map.of(
                        "slug",
                        slug,
                        "version",
                        version,
                        "order",
                        JdkVersion.parse(version).order().toArray(Long[]::new),
                        "lineage",
                        lineage + "-" + name,
                        "machine",
                        machine));
    }

    /** Gives the external id. It is suspected to have become worse by a fifth, of a metric of which less is better. */
    public String suspect(String variant, String metric) {
        return suspect(variant, metric, good, 1, 1.2);
    }

    public String suspect(String variant, String metric, String goodBuild, double before, double after) {
        long cell = number(
                """
                insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model, workload,
                                  workload_version, params, declared_delay_ms, load, scenario_key, collector, jvm_options, jdk_build_id)
                select new_external_id('cel'), r.workspace_id, r.run_id, :ordinal, 'tiny', :variant, 'platform-threads', 'empty',
                       1, '{}', 0, '{"profile": "constant", "rate": 10, "seconds": 1}', :scenario, 'G1', '{}', j.jdk_build_id
                  from run r, jdk_build j where r.run_id = :run and j.slug = :young returning cell_id
                """, Map.of("ordinal", cells++, "variant", variant, "scenario", SCENARIO, "run", run, "young", young));
        String key = String.join("|", "s1", machine, variant, metric);
        long series = number(
                """
                insert into series (external_id, workspace_id, visibility, series_key, family_key, machine_id, server, variant,
                                    concurrency_model, workload, scenario_key, collector, protocol, metric, track_feature,
                                    track_vendor, track_arch)
                select new_external_id('ser'), m.workspace_id, :visibility, :key || '|25', :key, m.machine_id, 'tiny', :variant,
                       'platform-threads', 'empty', :scenario, 'G1', 'moving/1', :metric, 25, 'temurin', 'amd64'
                  from machine m where m.external_id = :machine
                on conflict on constraint series_key_uq do update set visibility = excluded.visibility returning series_id
                """,
                Map.of(
                        "visibility",
                        visibility,
                        "key",
                        key,
                        "variant",
                        variant,
                        "scenario",
                        SCENARIO,
                        "metric",
                        metric,
                        "machine",
                        machine));
        long point = number("""
                insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, low, high,
                                   trial_values, trial_ids, eligible, standing, server_digest, fingerprint_hash, agent_version)
                select c.workspace_id, :series, c.run_id, c.cell_id, c.jdk_build_id, now(), 1, :after, null, null,
                       array[:after::float8], array[]::bigint[], true, 'provisional', 'digest', 'host', '0.1.0'
                  from cell c where c.cell_id = :cell returning point_id
                """, Map.of("series", series, "after", after, "cell", cell));
        return Objects.requireNonNull(
                text("""
                insert into change_point (workspace_id, series_id, jdk_build_id, good_build_id, point_id, q_hat, p, before, after,
                                          direction, standing, methodology)
                select p.workspace_id, p.series_id, p.jdk_build_id, g.jdk_build_id, p.point_id, 9.5, 1e-6, :before, :after,
                       case when :after::float8 > :before::float8 then 'worse' else 'better' end, true, '1'
                  from point p, jdk_build g where p.point_id = :point and g.slug = :good returning external_id
                """, Map.of("before", before, "after", after, "point", point, "good", goodBuild)));
    }

    /**
     * A night that measured the suspect's cell on some builds.
     *
     * @param means in the metric's unit, by build; gives its key
     */
    public long night(String suspect, Map<String, Double> means) {
        long night = number("""
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state, methodology,
                                 created_by, started_at, finished_at)
                select new_external_id('run'), workspace_id, machine_id, matrix_id, 'Another night', visibility, spec, 'done', '1',
                       'test', now(), null
                  from run where run_id = :run returning run_id
                """, Map.of("run", run));
        means.forEach(
                (build, mean) -> run("""
                with c as (
                  insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model, workload,
                                    workload_version, params, declared_delay_ms, load, scenario_key, collector, jvm_options, jdk_build_id)
                  select new_external_id('cel'), o.workspace_id, :night, (select count(*) from cell where run_id = :night), o.server,
                         o.variant, o.concurrency_model, o.workload, o.workload_version, o.params, o.declared_delay_ms, o.load,
                         o.scenario_key, o.collector, o.jvm_options, j.jdk_build_id
                    from change_point cp join point p using (point_id) join cell o using (cell_id), jdk_build j
                   where cp.external_id = :suspect and j.slug = :build
                  returning *)
                insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, low, high,
                                   trial_values, trial_ids, eligible, standing, server_digest, fingerprint_hash, agent_version)
                select c.workspace_id, cp.series_id, c.run_id, c.cell_id, c.jdk_build_id, now(), 1, :mean, null, null,
                       array[:mean::float8], array[]::bigint[], true, 'provisional', 'digest', 'host', '0.1.0'
                  from c, change_point cp where cp.external_id = :suspect
                """, Map.of("night", night, "suspect", suspect, "build", build, "mean", mean)));
        run("update run set finished_at = now() where run_id = :run", Map.of("run", night));
        return night;
    }

    /** External id of the rerun of a suspect; null: there is none. */
    public @Nullable String rerun(String suspect) {
        return read(
                "select r.external_id from change_point c left join run r on r.run_id = c.rerun_run_id where c.external_id = :id",
                Map.of("id", suspect),
                row -> row.get(0, String.class));
    }

    /** All trials of a rerun are done; those of the new build gave so much more of every metric, and the run ends. */
    public void measured(String rerun, double ratio) {
        measured(rerun, ratio, young);
    }

    /** @param first oldest build that gave so much more */
    public void measured(String rerun, double ratio, String first) {
        run("""
                with t as (
                  insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state, validity,
                                     server_digest, fingerprint_hash, started_at, finished_at, end_facts)
                  select new_external_id('trl'), r.workspace_id, r.run_id, c.cell_id, 'scored', n, c.ordinal * 100 + n, 1, 'done',
                         'valid', 'digest', 'host', now() - interval '40 seconds', now(),
                         jsonb_build_object('flags', jsonb_build_object('UseCompactObjectHeaders', (j.slug = :young)::text, 'UseG1GC', 'true'))
                    from run r join cell c using (run_id) join jdk_build j using (jdk_build_id), generate_series(1, (r.spec #>> '{trials,scored}')::int) n
                   where r.external_id = :run
                  returning trial_id, cell_id, ordinal)
                insert into trial_metric (trial_id, metric, value, eligible)
                select t.trial_id, m, (1 + 0.001 * ((t.ordinal * 7) % 5))
                         * case when j.build_order >= f.build_order then :ratio::float8 else 1 end
                         * case when j.slug = :good then 1 else 1 + 0.002 * ((t.ordinal * 3) % 7 - 3) end, true
                  from t join cell c using (cell_id) join jdk_build j using (jdk_build_id) join jdk_build f on f.slug = :first,
                       unnest(array['response_excess_p50_ms', 'response_excess_p99_ms', 'cpu_us_per_request', 'rss_mib']) m
                """, Map.of("young", young, "good", good, "first", first, "ratio", ratio, "run", rerun));
        end(rerun, "done");
    }

    /** All trials of a rerun are done, and those of the new build are far above the old one's as often as far below. */
    public void scattered(String rerun) {
        scattered(rerun, 1000, "done");
    }

    /**
     * @param trials of each cell at most
     * @param state that the run ends in
     */
    public void scattered(String rerun, int trials, String state) {
        run("""
                with t as (
                  insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state, validity,
                                     server_digest, fingerprint_hash, started_at, finished_at, end_facts)
                  select new_external_id('trl'), r.workspace_id, r.run_id, c.cell_id, 'scored', n, c.ordinal * 100 + n, 1, 'done',
                         'valid', 'digest', 'host', now() - interval '40 seconds', now(), '{}'
                    from run r join cell c using (run_id),
                         generate_series(1, least(:trials::int, (r.spec #>> '{trials,scored}')::int)) n
                   where r.external_id = :run
                  returning trial_id, cell_id, ordinal)
                insert into trial_metric (trial_id, metric, value, eligible)
                select t.trial_id, m, case when j.slug = :young then 1 + 0.5 * (t.ordinal % 2) - 0.3 * ((t.ordinal + 1) % 2) else 1 end, true
                  from t join cell c using (cell_id) join jdk_build j using (jdk_build_id),
                       unnest(array['response_excess_p50_ms', 'response_excess_p99_ms', 'cpu_us_per_request', 'rss_mib']) m
                """, Map.of("young", young, "trials", trials, "run", rerun));
        end(rerun, state);
    }

    /** As the queue ends a run: with its verdicts in one transaction, or the service's minutely job would hear a rerun that says nothing. */
    public void end(String rerun, String state) {
        long key = number("select run_id from run where external_id = :run", Map.of("run", rerun));
        database.sql("update run set state = :state, started_at = now(), finished_at = now() where run_id = :run")
                .bindValues(Map.of("state", state, "run", key))
                .then()
                .then(Mono.defer(() -> service.bean(VerdictService.class).judge(key))
                        .then())
                .as(service.bean(TransactionalOperator.class)::transactional)
                .block(TIMEOUT);
    }

    /**
     * What a column of a change point, cast to text, holds; null: nothing. Waits until nobody is about to change it: the
     * service's own minutely job may be at it, which others then pass over.
     */
    public @Nullable String column(String suspect, String column) {
        return read(
                "select " + column + "::text from change_point where external_id = :id for share",
                Map.of("id", suspect),
                row -> row.get(0, String.class));
    }

    public void run(String sql, Map<String, Object> values) {
        database.sql(sql).bindValues(values).then().block(TIMEOUT);
    }

    public long number(String sql, Map<String, Object> values) {
        return Objects.requireNonNull(read(sql, values, row -> row.get(0, Long.class)));
    }

    public String text(String sql, Map<String, Object> values) {
        return Objects.requireNonNull(read(sql, values, row -> row.get(0, String.class)));
    }

    private <T> @Nullable T read(String sql, Map<String, Object> values, Function<Readable, @Nullable T> of) {
        return Objects.requireNonNull(database.sql(sql)
                        .bindValues(values)
                        .map(row -> Optional.ofNullable(of.apply(row)))
                        .one()
                        .block(TIMEOUT))
                .orElse(null);
    }
}
