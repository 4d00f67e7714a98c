package dev.loomboard.runimport;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.bundle.BundleJdk;
import dev.loomboard.cell.Availability;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkVersion;
import dev.loomboard.kernel.WireName;
import io.r2dbc.postgresql.codec.Json;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * The builds of imported runs. One that is known stays as it is described; one that is not is described by the bundle until a machine
 * reports it, which is believed more: no bundle takes a name from a machine.
 */
@Repository
class ImportedJdkStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    ImportedJdkStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** By jdk_build_identity_uq. */
    Mono<JdkBuild> build(BundleJdk jdk) {
        return add(jdk).then(database.sql("""
                        select jdk_build_id, slug, vendor, runtime_version, feature, availability, architecture, build_order
                          from jdk_build where identity = :identity
                        """)
                .bind("identity", jdk.identity())
                .map(row -> new JdkBuild(
                        new JdkBuild.Internals(
                                number(row, "jdk_build_id"),
                                List.of(Objects.requireNonNull(row.get("build_order", Long[].class)))),
                        text(row, "slug"),
                        jdk.slug(), // what its machine called it
                        text(row, "vendor"),
                        text(row, "runtime_version"),
                        whole(row, "feature"),
                        WireName.of(Availability.class, text(row, "availability")),
                        text(row, "architecture")))
                .one());
    }

    private Mono<Void> add(BundleJdk jdk) {
        return database.sql("""
                        insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability, architecture, build_order, lineage,
                                               lineage_hash, authority)
                        select case when exists (select from jdk_build o where o.slug = :slug) then :slug || '-' || left(:identity, 8) else :slug end,
                               :identity, :vendor, :version, :feature, :availability, :architecture, :order, :lineage, :hash, -1
                        on conflict (identity) do nothing
                        """)
                .bind("slug", jdk.slug())
                .bind("identity", jdk.identity())
                .bind("vendor", jdk.vendor())
                .bind("version", jdk.runtimeVersion())
                .bind("feature", jdk.feature())
                .bind("availability", jdk.availability().wire())
                .bind("architecture", jdk.architecture())
                .bind("order", JdkVersion.parse(jdk.runtimeVersion()).order().toArray(Long[]::new))
                .bind("lineage", Json.of(json.writeValueAsString(jdk.lineage())))
                .bind("hash", jdk.lineageHash())
                .then();
    }
}
