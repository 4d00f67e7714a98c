package dev.loomboard.schedule;

import dev.loomboard.jdk.JdkVersion;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.Service;
import dev.loomboard.matrix.MatrixReader;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * A machine that can run something, a matrix for it, and schedules of the two, in the default workspace of the shared
 * service. All names are new each time, because other tests use the same database.
 */
public final class ScheduleRows {

    public static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final String YAML = """
            schema: loomboard.matrix/1
            name: NAME
            title: A matrix to be scheduled
            protocol: scheduled/1
            jdks: [25]
            servers: [{server: tiny, variants: [plain]}]
            scenarios: [{workload: empty, params: {}, load: {profile: constant, rate: 10, seconds: 1}}]
            collectors: []
            jvmOptions: []
            trials: {scored: 1, diagnostic: 0}
            phases: {warmup: [{seconds: 1}], settleSeconds: 0}
            """;

    private static final String INVENTORY = """
            {"servers": [{"name": "tiny", "title": "Tiny", "framework": "none", "java": 21, "collector": "G1",
              "digest": "DIGEST", "variants": [{"name": "plain", "concurrencyModel": "platform-threads"}],
              "workloads": [{"name": "empty", "version": 1, "params": {}, "declaredDelayParam": null}]}],
             "excludedJdks": []}
            """.replace("DIGEST", "ab".repeat(32));

    public final String name = "s-" + ExternalId.random("tmp").value().substring(4);
    public final String matrix = ExternalId.random("mtx").value();
    public final String machine = ExternalId.random("mac").value();
    private final DatabaseClient database;

    public ScheduleRows(Service service, String visibility) {
        database = service.bean(DatabaseClient.class);
        String yaml = YAML.replace("NAME", name);
        MatrixReader.Reading reading = MatrixReader.read(yaml);
        if (!(reading instanceof MatrixReader.Read read)) {
            throw new AssertionError("the test's matrix is refused: " + reading);
        }
        run(database.sql("""
                        insert into matrix (external_id, workspace_id, slug, title, spec, source, visibility)
                        select :id, workspace_id, :slug, :title, :spec::jsonb, :source, :visibility
                          from workspace where slug = 'main'
                        """)
                .bind("id", matrix)
                .bind("slug", name)
                .bind("title", "Matrix " + name)
                .bind("spec", service.bean(JsonMapper.class).writeValueAsString(read.spec()))
                .bind("source", yaml)
                .bind("visibility", visibility));
        run(database.sql("""
                        insert into machine (external_id, workspace_id, slug, name, visibility, inventory)
                        select :id, workspace_id, :slug, :name, :visibility, :inventory::jsonb
                          from workspace where slug = 'main'
                        """)
                .bind("id", machine)
                .bind("slug", name)
                .bind("name", "Machine " + name)
                .bind("visibility", visibility)
                .bind("inventory", INVENTORY));
        build("25.0.3+9", "ga");
    }

    /** What a machine must be, as the matrix's file says it. */
    public void require(String json) {
        execute("update matrix set spec = spec || '{\"requires\": " + json + "}' where external_id = '" + matrix + "'");
    }

    /** Another build of the machine; gives its slug. */
    public String build(String version, String availability) {
        JdkVersion parsed = JdkVersion.parse(version);
        String slug = "temurin-" + version.replace("+", "-") + "-" + name;
        run(database.sql("""
                        with b as (
                          insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability,
                                                 architecture, build_order, lineage, lineage_hash)
                          values (:slug, :slug, 'temurin', :version, :feature, :availability, 'amd64', :order, '{}', 'l')
                          returning jdk_build_id)
                        insert into machine_jdk (machine_id, jdk_build_id, present, agent_slug)
                        select m.machine_id, b.jdk_build_id, true, :slug from b, machine m where m.external_id = :machine
                        """)
                .bind("slug", slug)
                .bind("version", version)
                .bind("feature", parsed.order().getFirst().intValue())
                .bind("availability", availability)
                .bind("order", parsed.order().toArray(Long[]::new))
                .bind("machine", machine));
        return slug;
    }

    /** The machine no longer has it. */
    public void remove(String build) {
        execute("update machine_jdk set present = false where agent_slug = '" + build + "'");
    }

    /** Builds of the newest run of a schedule, its control first: "control: builds in their order". */
    public String builds(String id) {
        return text("""
                select coalesce((select slug from jdk_build where jdk_build_id = r.control_build_id), 'none') || ': '
                       || (select string_agg(j.slug, ' ' order by c.ordinal) from cell c join jdk_build j using (jdk_build_id)
                            where c.run_id = r.run_id)
                  from run r where created_by = '%s' order by r.run_id desc limit 1
                """.formatted(id));
    }

    public String text(String sql) {
        return Objects.requireNonNull(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one()
                .block(TIMEOUT));
    }

    /** An active schedule; gives its external id. Its slug is the last twenty characters of that. */
    public String schedule(String cron, String zone, Instant since, String... jdks) {
        String id = ExternalId.random("sch").value();
        run(database.sql("""
                        insert into schedule (external_id, workspace_id, slug, title, matrix_id, machine_id, cron, zone,
                                              jdk_selectors, updated_at)
                        select :id, x.workspace_id, :slug, :title, x.matrix_id, m.machine_id, :cron, :zone, :jdks, :since
                          from matrix x, machine m where x.external_id = :matrix and m.external_id = :machine
                        """)
                .bind("id", id)
                .bind("slug", slug(id))
                .bind("title", "Schedule " + slug(id))
                .bind("cron", cron)
                .bind("zone", zone)
                .bind("jdks", jdks)
                .bind("since", since.atOffset(ZoneOffset.UTC))
                .bind("matrix", matrix)
                .bind("machine", machine));
        return id;
    }

    public static String slug(String id) {
        return id.substring(4);
    }

    public static String path(String id) {
        return "/w/main/schedules/" + slug(id);
    }

    public void revoke() {
        execute("update machine set revoked_at = now() where external_id = '" + machine + "'");
    }

    /** As if an agent had taken and ended every run of the schedule. */
    public void endRuns(String id) {
        execute("update run set state = 'done', finished_at = now() where state = 'queued' and schedule_id ="
                + " (select schedule_id from schedule where external_id = '" + id + "')");
    }

    /** As if each cell of its newest run had a trial that is done. */
    public void endTrials(String id) {
        execute("""
                insert into trial (external_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, state)
                select 'trl_' || substr(translate(md5(random()::text || c.cell_id), '0189', 'wxyz'), 1, 20), c.workspace_id, c.run_id,
                       c.cell_id, 'scored', 1, c.ordinal, 1, 'done'
                  from cell c where c.run_id = (select run_id from run where created_by = '%s' order by run_id desc limit 1)
                """.formatted(id));
    }

    public long runs(String id) {
        return number("select count(*) from run where created_by = '" + id + "'");
    }

    /** Firings with that outcome. */
    public long firings(String id, String outcome) {
        return number("select count(*) from schedule_firing join schedule using (schedule_id)" + " where outcome = '"
                + outcome + "' and external_id = '" + id + "'");
    }

    /** The reason of the newest firing. */
    public String reason(String id) {
        return Objects.requireNonNull(database.sql("""
                        select coalesce(reason, '') from schedule_firing join schedule using (schedule_id)
                         where external_id = :id order by fire_at desc limit 1
                        """)
                .bind("id", id)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one()
                .block(TIMEOUT));
    }

    /** The time of the newest firing that made a run. */
    public Instant lastQueued(String id) {
        return Objects.requireNonNull(database.sql("""
                        select max(fire_at) from schedule_firing join schedule using (schedule_id)
                         where external_id = :id and outcome = 'queued'
                        """)
                        .bind("id", id)
                        .map(row -> Objects.requireNonNull(row.get(0, OffsetDateTime.class)))
                        .one()
                        .block(TIMEOUT))
                .toInstant();
    }

    public boolean audited(String action, String subject) {
        return number("select count(*) from audit_event where action = '" + action + "' and subject = '" + subject
                        + "'")
                > 0;
    }

    public long number(String sql) {
        return Objects.requireNonNull(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                .one()
                .block(TIMEOUT));
    }

    public void execute(String sql) {
        run(database.sql(sql));
    }

    private static void run(DatabaseClient.GenericExecuteSpec spec) {
        spec.then().block(TIMEOUT);
    }
}
