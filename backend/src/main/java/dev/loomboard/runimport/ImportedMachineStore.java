package dev.loomboard.runimport;

import static dev.loomboard.kernel.Rows.number;

import dev.loomboard.bundle.BundleMachine;
import dev.loomboard.bundle.BundleRun;
import dev.loomboard.cell.Visibility;
import dev.loomboard.inventory.Qualification;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.postgresql.codec.Json;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Writes the machines of imported runs: no agent owns one, and it is not admitted to public ranks. */
@Repository
class ImportedMachineStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    ImportedMachineStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Of an earlier import of the same machine's. By machine_origin_uq. */
    Mono<Long> find(WorkspaceId workspace, String originId) {
        return database.sql("select machine_id from machine where workspace_id = :workspace and origin_id = :origin")
                .bind("workspace", workspace.value())
                .bind("origin", originId)
                .map(row -> number(row, "machine_id"))
                .one();
    }

    /** Under the first name that is free: its own, or with a number. */
    Mono<Long> add(WorkspaceId workspace, BundleMachine machine, Visibility visibility, Instant now) {
        return database.sql("""
                        insert into machine (external_id, workspace_id, slug, name, visibility, origin_id, registered_at, revoked_at, reruns)
                        select :id, :workspace, s.slug, :name, :visibility, :origin, :now, :now, false
                          from generate_series(1, 1000) n
                         cross join lateral (select left(:slug, 58) || case when n > 1 then '-' || n else '' end as slug) s
                         where not exists (select from machine x where x.workspace_id = :workspace and x.slug = s.slug)
                         order by n limit 1
                        returning machine_id
                        """)
                .bind("id", ExternalId.random("mac").value())
                .bind("workspace", workspace.value())
                .bind("slug", machine.slug())
                .bind("name", machine.name())
                .bind("visibility", visibility.wire())
                .bind("origin", machine.id())
                .bind("now", utc(now))
                .map(row -> number(row, "machine_id"))
                .one();
    }

    /** What the bundle says of it, unless a later run of it was imported before. */
    Mono<Void> describe(long machine, BundleRun run) {
        BundleMachine said = run.machine();
        Qualification qualification = said.qualification();
        String host = said.fingerprintHash();
        boolean qualified = qualification != null && host != null && qualification.holdsFor(host);
        return database.sql("""
                        update machine m
                           set agent_version = s."agentVersion", fingerprint_hash = s."fingerprintHash", class_hash = s."classHash",
                               class_label = s."classLabel", fingerprint = s.facts, qualification = s.qualification,
                               qualified_at = :qualified
                          from jsonb_to_record(:said) as s ("agentVersion" text, "fingerprintHash" text, "classHash" text,
                                                            "classLabel" text, facts jsonb, qualification jsonb)
                         where m.machine_id = :machine
                           and not exists (select from run r where r.machine_id = m.machine_id and r.created_at > :created::timestamptz)
                        """)
                .bind("machine", machine)
                .bind("said", Json.of(json.writeValueAsString(said)))
                .bind(
                        "qualified",
                        Parameter.fromOrEmpty(
                                qualification != null && qualified ? utc(qualification.measuredAt()) : null,
                                OffsetDateTime.class))
                .bind("created", run.course().times().createdAt())
                .then();
    }

    /** What its host was, as far as it is not known yet. By machine_host_since_ix. */
    Mono<Void> addHosts(WorkspaceId workspace, long machine, List<BundleMachine.Host> hosts) {
        return database.sql("""
                        insert into machine_host (workspace_id, machine_id, since, fingerprint_hash, agent_version, facts)
                        select :workspace, :machine, h.since, h."fingerprintHash", h."agentVersion", h.facts
                          from jsonb_to_recordset(:hosts) as h (since timestamptz, "fingerprintHash" text, "agentVersion" text, facts jsonb)
                         where not exists (select from machine_host o where o.machine_id = :machine and o.since = h.since
                                                                        and o.fingerprint_hash = h."fingerprintHash")
                        """)
                .bind("workspace", workspace.value())
                .bind("machine", machine)
                .bind("hosts", Json.of(json.writeValueAsString(hosts)))
                .then();
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
