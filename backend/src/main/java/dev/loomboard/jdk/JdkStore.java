package dev.loomboard.jdk;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.WireName;
import dev.loomboard.kernel.MachineId;
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

    /** Of the identity, appended to a name that another build has: more than enough to tell rebuilds apart. */
    private static final int SUFFIX = 8;

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
                .concatMap(report -> upsert(report).flatMap(key -> present(machine, key, report.slug())))
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

    /** By identity. Its name is the reported one, unless another build has that: then with a part of the identity. */
    private Mono<Long> upsert(JdkReport report) {
        String longer = report.slug() + "-" + report.identity().substring(0, SUFFIX);
        return database.sql("""
                        insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability,
                                               architecture, build_order, lineage, lineage_hash)
                        select case when exists (select 1 from jdk_build o where o.slug = :slug and o.identity <> :identity)
                                    then :longer else :slug end,
                               :identity, :vendor, :version, :feature, :availability, :architecture, :order, :lineage, :hash
                        on conflict (identity) do update set identity = excluded.identity
                        returning jdk_build_id
                        """)
                .bind("slug", report.slug())
                .bind("longer", longer)
                .bind("identity", report.identity())
                .bind("vendor", report.vendor())
                .bind("version", report.runtimeVersion())
                .bind("feature", report.feature())
                .bind("availability", report.availability())
                .bind("architecture", report.architecture())
                .bind("order", JdkVersion.parse(report.runtimeVersion()).order().toArray(Long[]::new))
                .bind("lineage", Json.of(json.writeValueAsString(report.lineage())))
                .bind("hash", report.lineage().hash())
                .map(row -> number(row, "jdk_build_id"))
                .one();
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
