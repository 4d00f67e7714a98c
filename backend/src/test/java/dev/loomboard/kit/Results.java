package dev.loomboard.kit;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.ranking.BoardKey;
import dev.loomboard.ranking.RankService;
import dev.loomboard.ranking.RankStore;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Urls;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Results as ingest would have stored them, put straight into the tables: a finished run on two builds, one with ten
 * trials a cell, one that is under way in every state, and a private one. The figures are invented and always the same.
 */
public final class Results {

    public static final String SEARCH =
            "io@1?delayMs=100;search:start=100,maxRate=10000,seconds=15,discardSeconds=5,precision=0.03,confirmations=1,"
                    + "confirmSeconds=60,maxSteps=40,curveSteps=2,quantile=0.99,responseMs=250,success=1,achieved=0.99";
    public static final String CLOSED = "io@1?delayMs=100;closed:connections=50,seconds=12";
    public static final String IO = "io@1?delayMs=100;constant:rate=300,seconds=12";
    public static final String COMPUTE = "compute@1?;constant:rate=60,seconds=12";
    public static final String MATMUL = "matmul@1?delayMs=25&size=200;constant:rate=300,seconds=60";
    public static final String JDK_25 = "temurin-25.0.3_99-amd64";
    public static final String JDK_28_17 = "debian-28-ea_97-amd64";
    public static final String JDK_28_18 = "debian-28-ea_98-amd64";

    static final Duration TIMEOUT = Duration.ofMinutes(2);
    static final Instant START = Instant.parse("2026-11-20T02:00:00Z");

    private static final List<Variant> VARIANTS = List.of(
            new Variant("spring-mvc", "platform-100", "platform-threads", 102.3, 106.8, 311),
            new Variant("spring-mvc", "platform-unlimited", "platform-threads", 102.1, 106.1, 318),
            new Variant("spring-mvc", "virtual", "virtual-threads", 100.6, 101.1, 262),
            new Variant("spring-webflux", "reactive", "event-loop", 100.8, 102.5, 228));

    private final DatabaseClient database;
    private final Map<String, Long> builds = new LinkedHashMap<>();
    private long machine;
    private long matrix;

    /** Ids of what the pages are opened at. */
    public record Ids(
            String doneRun,
            String liveRun,
            String privateRun,
            String trial,
            String diagnosticTrial,
            String privateTrial,
            String series,
            String privateSeries,
            String searchTrial,
            String closedRun,
            String closedTrial,
            String watchedSeries) {}

    record Variant(String server, String name, String model, double p50, double p99, double rss) {}

    public Results(DatabaseClient database) {
        this.database = database;
    }

    private static final class Shared {
        static final Ids IDS = new Results(Service.shared().bean(DatabaseClient.class)).put();
    }

    /** What an agent found on a machine that is far from quiet. */
    static final String DOCTOR = """
            {"schema":"loomboard.doctor/1","at":"2026-11-20T01:59:00Z","findings":[
             {"check":"jdk-provider","severity":"info","state":"ok","found":"Looked for 28-ea at 2026-11-20 01:30 UTC, every 1h."},
             {"check":"timer","severity":"warns","state":"problem","found":"wakes up to 272 µs late (p99 of 200)",
              "why":"threads wake later than asked, so hits are sent late"},
             {"check":"transparent-huge-pages","severity":"warns","state":"problem","found":"always",
              "why":"the kernel merges pages at moments of its own, which stalls a JVM",
              "mend":"echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled /sys/kernel/mm/transparent_hugepage/shmem_enabled"},
             {"check":"cores","severity":"blocks","state":"problem","found":"2 physical cores",
              "why":"the load generator and the server compete for the same cores, so one slows the other",
              "mend":"use a machine of 4 or more physical cores, or drive the load from another host (loomboard-agent serve)"},
             {"check":"hypervisor","severity":"info","state":"problem","found":"kvm",
              "why":"neighbours on the same hardware cannot be seen from here"},
             {"check":"governor","severity":"warns","state":"unknown","found":"cannot be read here"},
             {"check":"turbo","severity":"warns","state":"unknown","found":"cannot be read here"},
             {"check":"swap","severity":"warns","state":"ok","found":"0 MiB"},
             {"check":"clocksource","severity":"warns","state":"ok","found":"tsc"}]}
            """;

    /** Path of a scenario's leaderboard. */
    public static String board(String scenario) {
        return Urls.leaderboard(ScenarioText.of(scenario).slug());
    }

    /** In the shared service's database, once per JVM. */
    public static Ids shared() {
        return Shared.IDS;
    }

    public Ids put() {
        machine = insert("""
                insert into machine (external_id, workspace_id, slug, name, class_hash, class_label, fingerprint_hash, doctor, admitted_at)
                select :id, workspace_id, 'bench-pages', 'bench-pages', :hash, '2 cores, 24 GiB, load on the same host', :hash, :doctor::jsonb, now()
                  from workspace where slug = 'main' returning machine_id
                """, Map.of("id", id("mac"), "hash", "f1".repeat(32), "doctor", DOCTOR));
        build(JDK_25, "temurin", "25.0.3+99-LTS", 25, "ga", "array[25,0,3,99]", "lineage-a");
        build(JDK_28_17, "debian", "28-ea+97-Debian-1", 28, "ea", "array[28,0,0,97]", "lineage-b");
        build(JDK_28_18, "debian", "28-ea+98-Debian-1", 28, "ea", "array[28,0,0,98]", "lineage-b");
        matrix = insert("""
                insert into matrix (external_id, workspace_id, slug, title, spec)
                select :id, w.workspace_id, 'invented-starter', 'Starter: a first look at every variant', q.spec
                  from workspace w join matrix q on q.workspace_id = w.workspace_id and q.slug = 'starter' where w.slug = 'main' returning matrix_id
                """, Map.of("id", id("mtx")));
        Run done = run("Starter: a first look at every variant", "done", "public", START);
        int ordinal = 0;
        Trials first = null;
        for (String scenario : List.of(IO, COMPUTE)) {
            for (Variant variant : VARIANTS) {
                for (String jdk : List.of(JDK_25, JDK_28_18)) {
                    Trials trials = cell(done, ordinal++, variant, scenario, jdk, 1, START.plusSeconds(60L * ordinal));
                    first = first == null ? trials : first;
                }
            }
        }
        Run nightly = run("Ten trials a cell", "done", "public", START.minus(Duration.ofDays(1)));
        ordinal = 0;
        for (Variant variant : VARIANTS) {
            for (String jdk : List.of(JDK_25, JDK_28_17, JDK_28_18)) {
                cell(
                        nightly,
                        ordinal++,
                        variant,
                        MATMUL,
                        jdk,
                        10,
                        START.minus(Duration.ofDays(1)).plusSeconds(60L * ordinal));
            }
        }
        Run hidden = run("Nobody else's business", "done", "private", START);
        Trials secret = cell(hidden, 0, VARIANTS.getFirst(), "empty@1?;constant:rate=10,seconds=12", JDK_25, 1, START);
        Variant own = new Variant("spring-mvc", "unreleased", "virtual-threads", 60, 61, 150);
        cell(hidden, 1, own, MATMUL, JDK_25, 10, START);
        Run searched = run("The highest rate", "done", "public", START.minus(Duration.ofDays(2)));
        Trials search = cell(searched, 0, VARIANTS.getFirst(), SEARCH, JDK_25, 1, START.minus(Duration.ofDays(2)));
        new SearchRows(this).put(search.scored());
        Instant then = START.minus(Duration.ofDays(3));
        Run closed = run("Fifty connections", "done", "public", then);
        Trials busy = cell(closed, 0, VARIANTS.getFirst(), CLOSED, JDK_25, 1, then);
        cell(closed, 1, VARIANTS.get(2), CLOSED, JDK_25, 1, then);
        cell(closed, 2, VARIANTS.get(2), CLOSED, JDK_28_18, 1, then);
        RankService ranks = new RankService(new RankStore(database, JsonMapper.shared()));
        long main = insert("select workspace_id from workspace where slug = 'main'", Map.of());
        ranks.rank(List.of(new BoardKey(0, MATMUL, "c", "quick/1"), new BoardKey(main, MATMUL, "c", "quick/1")))
                .block(TIMEOUT);
        String live = new LiveRun(this).put(id("run"), machine, matrix, build(JDK_25));
        Trials shown = Objects.requireNonNull(first);
        String watched = new HistoryRows(this, run("Sixty nights", "done", "public", then)).put(shown.scored());
        return new Ids(
                done.id(),
                live,
                hidden.id(),
                shown.scored(),
                shown.diagnostic(),
                secret.scored(),
                shown.series(),
                secret.series(),
                search.scored(),
                closed.id(),
                busy.scored(),
                watched);
    }

    record Run(long key, String id, String visibility) {}

    record Trials(String scored, String diagnostic, String series) {}

    private void build(
            String slug,
            String vendor,
            String version,
            int feature,
            String availability,
            String order,
            String lineage) {
        builds.put(
                slug,
                insert(
                        """
                insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability, architecture, build_order, lineage, lineage_hash)
                values (:slug, 'identity of ' || :slug, :vendor, :version, :feature, :availability, 'amd64', ORDER,
                        jsonb_build_object('vendor', :vendor, 'compiler', 'gcc 14.2', 'libc', 'glibc', 'debugLevel', 'release', 'internal', 'x', 'cds', '[]'::jsonb, 'release', '{}'::jsonb, 'hash', :lineage),
                        :lineage) returning jdk_build_id
                """.replace("ORDER", order),
                        Map.of(
                                "slug",
                                slug,
                                "vendor",
                                vendor,
                                "version",
                                version,
                                "feature",
                                feature,
                                "availability",
                                availability,
                                "lineage",
                                lineage)));
        insert(
                "insert into machine_jdk (machine_id, jdk_build_id, present) values (:machine, :jdk, true) returning machine_id",
                Map.of("machine", machine, "jdk", build(slug)));
    }

    private Run run(String title, String state, String visibility, Instant at) {
        String id = id("run");
        long key = insert(
                """
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state, fencing, attempts, methodology, created_by, created_at, started_at, finished_at, notices)
                select :id, workspace_id, :machine, :matrix, :title, :visibility, '{"protocol":"quick/1"}', :state, 1, 1, 'm1', 'test', :at, :at, :end,
                       '["The selector 27 matched no JDK on this machine."]'
                  from workspace where slug = 'main' returning run_id
                """,
                Map.of(
                        "id",
                        id,
                        "machine",
                        machine,
                        "matrix",
                        matrix,
                        "title",
                        title,
                        "visibility",
                        visibility,
                        "state",
                        state,
                        "at",
                        at.atOffset(ZoneOffset.UTC),
                        "end",
                        at.plusSeconds(900).atOffset(ZoneOffset.UTC)));
        return new Run(key, id, visibility);
    }

    private Trials cell(Run run, int ordinal, Variant variant, String scenario, String jdk, int trials, Instant at) {
        return new CellRows(this, run, variant, scenario, jdk, trials, at).put(ordinal);
    }

    long insert(String sql, Map<String, ?> values) {
        Long key = database.sql(sql)
                .bindValues(new LinkedHashMap<>(values))
                .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                .one()
                .block(TIMEOUT);
        return Objects.requireNonNull(key, sql);
    }

    long machine() {
        return machine;
    }

    long build(String jdk) {
        return Objects.requireNonNull(builds.get(jdk));
    }

    DatabaseClient database() {
        return database;
    }

    static String id(String prefix) {
        return ExternalId.random(prefix).value();
    }

    static Map<String, Object> bind(@Nullable Object... pairs) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put((String) Objects.requireNonNull(pairs[i]), Objects.requireNonNull(pairs[i + 1]));
        }
        return values;
    }
}
