package dev.loomboard.jdk;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.Availability;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** The builds of the world, and which of them a machine has. */
@Repository
public class JdkStore {

    /** Whom to believe most; see the column of jdk_build. */
    private static final String AUTHORITY = """
             (select case when m.visibility = 'private' then 0 when m.admitted_at is null then 1 else 2 end
                from machine m where m.machine_id = :machine)
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    public JdkStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Replaces what a machine has; to be called within a transaction. */
    public Mono<Void> replace(MachineId machine, List<JdkReport> reports) {
        // Always in one order: two machines that report the same builds at once would else lock each other out.
        List<JdkReport> ordered = reports.stream()
                .sorted(Comparator.comparing(JdkReport::identity))
                .toList();
        return database.sql("update machine_jdk set present = false where machine_id = :machine and present")
                .bind("machine", machine.value())
                .then()
                .thenMany(Flux.fromIterable(ordered))
                .concatMap(report -> take(machine, report))
                .then();
    }

    /** Those present on a machine, newest first; at most a hundred (the wire's limit). */
    public Flux<JdkBuild> present(MachineId machine) {
        return database.sql("""
                        select b.jdk_build_id, b.slug, m.agent_slug, b.vendor, b.runtime_version, b.feature,
                               b.availability, b.architecture, b.build_order
                          from machine_jdk m join jdk_build b using (jdk_build_id)
                         where m.machine_id = :machine and m.present
                         order by b.build_order desc, b.slug
                         limit 100
                        """)
                .bind("machine", machine.value())
                .map(JdkStore::build)
                .all();
    }

    /** Those present on any machine of a workspace that is in use, each once; at most a thousand. */
    public Flux<JdkBuild> ofWorkspace(WorkspaceId workspace) {
        return database.sql("""
                        select b.jdk_build_id, b.slug, min(m.agent_slug) as agent_slug, b.vendor, b.runtime_version, b.feature,
                               b.availability, b.architecture, b.build_order
                          from machine h join machine_jdk m using (machine_id) join jdk_build b using (jdk_build_id)
                         where h.workspace_id = :workspace and h.revoked_at is null and m.present
                         group by b.jdk_build_id
                         order by b.build_order desc, b.slug
                         limit 1000
                        """)
                .bind("workspace", workspace.value())
                .map(JdkStore::build)
                .all();
    }

    private Mono<Void> take(MachineId machine, JdkReport report) {
        return freeName(machine, report)
                .then(upsert(machine, report))
                .flatMap(key ->
                        present(machine, key, report.slug()).then(Mono.defer(() -> conflict(machine, key, report))));
    }

    /** A build that only less is known of gives its name up for a longer one: a private machine cannot take a name away. */
    private Mono<Void> freeName(MachineId machine, JdkReport report) {
        return database.sql("""
                        update jdk_build o set slug = o.slug || '-' || left(o.identity, 8)
                         where o.slug = :slug and o.identity <> :identity and o.authority < """ + AUTHORITY)
                .bind("slug", report.slug())
                .bind("identity", report.identity())
                .bind("machine", machine.value())
                .then();
    }

    /**
     * By identity. Its name is the reported one, unless another build has that: then with a part of the identity. It is
     * described again only by a machine that is trusted more than the one that described it.
     */
    private Mono<Long> upsert(MachineId machine, JdkReport report) {
        return database.sql("""
                        insert into jdk_build as old (slug, identity, vendor, runtime_version, feature, availability,
                                               architecture, build_order, lineage, lineage_hash, authority)
                        select case when exists (select 1 from jdk_build o where o.slug = :slug and o.identity <> :identity)
                                    then :longer else :slug end,
                               :identity, :vendor, :version, :feature, :availability, :architecture, :order, :lineage, :hash,
                        """ + AUTHORITY + """
                        on conflict (identity) do update
                           set slug = case when old.authority < excluded.authority then excluded.slug else old.slug end,
                               vendor = case when old.authority < excluded.authority then excluded.vendor else old.vendor end,
                               runtime_version = case when old.authority < 0 then excluded.runtime_version else old.runtime_version end,
                               feature = case when old.authority < 0 then excluded.feature else old.feature end,
                               availability = case when old.authority < 0 then excluded.availability else old.availability end,
                               architecture = case when old.authority < 0 then excluded.architecture else old.architecture end,
                               build_order = case when old.authority < 0 then excluded.build_order else old.build_order end,
                               lineage = case when old.authority < excluded.authority then excluded.lineage else old.lineage end,
                               lineage_hash = case when old.authority < excluded.authority then excluded.lineage_hash
                                                   else old.lineage_hash end,
                               authority = greatest(old.authority, excluded.authority)
                        returning jdk_build_id
                        """)
                .bind("machine", machine.value())
                .bind("slug", report.slug())
                .bind("longer", JdkReport.rebuilt(report.slug(), report.identity()))
                .bind("identity", report.identity())
                .bind("vendor", report.vendor())
                .bind("version", report.runtimeVersion())
                .bind("feature", report.feature())
                .bind("availability", report.availability().wire())
                .bind("architecture", report.architecture())
                .bind("order", JdkVersion.parse(report.runtimeVersion()).order().toArray(Long[]::new))
                .bind("lineage", Json.of(json.writeValueAsString(report.lineage())))
                .bind("hash", report.lineage().hash())
                .map(row -> number(row, "jdk_build_id"))
                .one();
    }

    /**
     * Keeps what a machine says otherwise of a build, as long as it does. Only what lies in the build's own files counts:
     * the C library is the machine's, and class archives are made there.
     */
    private Mono<Void> conflict(MachineId machine, long build, JdkReport report) {
        return database.sql("delete from jdk_build_conflict where jdk_build_id = :build and machine_id = :machine")
                .bind("build", build)
                .bind("machine", machine.value())
                .then()
                .then(database.sql("""
                        insert into jdk_build_conflict (jdk_build_id, machine_id, claims)
                        select b.jdk_build_id, :machine, s.claims
                          from jdk_build b
                         cross join lateral (select array_remove(array[
                                 case when b.vendor <> :vendor then 'vendor: ' || :vendor end,
                                 case when b.lineage ->> 'compiler' <> :compiler then 'compiler: ' || :compiler end,
                                 case when b.lineage ->> 'internal' <> :internal then 'internal: ' || :internal end],
                               null) as claims) s
                         where b.jdk_build_id = :build and cardinality(s.claims) > 0
                        """)
                        .bind("build", build)
                        .bind("machine", machine.value())
                        .bind("vendor", report.vendor())
                        .bind("compiler", report.lineage().compiler())
                        .bind("internal", report.lineage().internal())
                        .then());
    }

    private Mono<Void> present(MachineId machine, long build, String agentSlug) {
        return database.sql("""
                        insert into machine_jdk (machine_id, jdk_build_id, present, agent_slug)
                        values (:machine, :build, true, :slug)
                        on conflict (machine_id, jdk_build_id)
                        do update set present = true, seen_at = now(), agent_slug = excluded.agent_slug
                        """)
                .bind("machine", machine.value())
                .bind("build", build)
                .bind("slug", agentSlug)
                .then();
    }

    private static JdkBuild build(Readable row) {
        return new JdkBuild(
                new JdkBuild.Internals(
                        number(row, "jdk_build_id"),
                        List.of(Objects.requireNonNull(row.get("build_order", Long[].class)))),
                text(row, "slug"),
                text(row, "agent_slug"),
                text(row, "vendor"),
                text(row, "runtime_version"),
                whole(row, "feature"),
                WireName.of(Availability.class, text(row, "availability")),
                text(row, "architecture"));
    }
}
