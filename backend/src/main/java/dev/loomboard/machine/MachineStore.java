package dev.loomboard.machine;

import static dev.loomboard.web.Rows.flag;
import static dev.loomboard.web.Rows.instant;
import static dev.loomboard.web.Rows.instantOrNull;
import static dev.loomboard.web.Rows.json;
import static dev.loomboard.web.Rows.keys;
import static dev.loomboard.web.Rows.number;
import static dev.loomboard.web.Rows.text;
import static dev.loomboard.web.Rows.textOrNull;
import static dev.loomboard.web.Rows.whole;

import dev.loomboard.catalog.Doctor;
import dev.loomboard.catalog.ServerOffer;
import dev.loomboard.web.Caller;
import dev.loomboard.web.MachineId;
import dev.loomboard.web.Secret;
import dev.loomboard.web.WorkspaceId;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Machines. What a caller may not see is not found. */
@Repository
public class MachineStore {

    private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};

    /** By unique index (workspace_id, slug), or for lists by workspace; counting builds probes the key of machine_jdk. */
    private static final String SUMMARY = """
            select m.machine_id, m.workspace_id, m.external_id, w.slug as workspace, m.slug, m.name, m.visibility, m.reruns,
                   m.agent_key_last4, m.agent_version, m.registered_at, m.revoked_at, m.last_seen_at, m.qualified_at,
                   m.class_label,
                   (select count(*)::int from machine_jdk j where j.machine_id = m.machine_id and j.present) as jdk_count
              from machine m join workspace w using (workspace_id)
             where (m.visibility = 'public' or m.workspace_id = any(:mine))
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    MachineStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Servers, workloads and excluded JDKs as the column {@code inventory} keeps them. */
    record Offers(List<ServerOffer> servers, List<Inventory.ExcludedJdk> excludedJdks) {}

    /** What only a machine's own page reads. */
    record Details(
            @Nullable String fingerprintHash,
            @Nullable String classHash,
            Map<String, Object> facts,
            Offers offers,
            @Nullable Doctor doctor,
            @Nullable Qualification qualification) {}

    /** All that the caller may see, those that call first. */
    public Flux<MachineView.Summary> visible(Caller caller) {
        return database.sql(SUMMARY + " order by m.last_seen_at desc nulls last, m.machine_id limit 500")
                .bind("mine", keys(caller.workspaces()))
                .map(MachineStore::summary)
                .all();
    }

    public Mono<MachineView.Summary> find(Caller caller, String workspace, String slug) {
        return database.sql(SUMMARY + " and w.slug = :workspace and m.slug = :slug")
                .bind("mine", keys(caller.workspaces()))
                .bind("workspace", workspace)
                .bind("slug", slug)
                .map(MachineStore::summary)
                .one();
    }

    /** A machine of a workspace, whatever its visibility: for callers that act within it. */
    public Mono<MachineView.Summary> ofWorkspace(WorkspaceId workspace, String slug) {
        return database.sql(SUMMARY + " and m.workspace_id = :workspace and m.slug = :slug")
                .bind("mine", new Long[] {workspace.value()})
                .bind("workspace", workspace.value())
                .bind("slug", slug)
                .map(MachineStore::summary)
                .one();
    }

    /** The servers that a machine offers. */
    public Mono<List<ServerOffer>> servers(MachineId machine) {
        return details(machine).map(d -> d.offers().servers());
    }

    Mono<Details> details(MachineId machine) {
        return database.sql("""
                        select fingerprint_hash, class_hash, fingerprint, inventory, doctor, qualification from machine where machine_id = :machine
                        """)
                .bind("machine", machine.value())
                .map(row -> new Details(
                        textOrNull(row, "fingerprint_hash"),
                        textOrNull(row, "class_hash"),
                        json.readValue(json(row, "fingerprint"), FACTS),
                        offers(json(row, "inventory")),
                        doctor(row),
                        qualification(row)))
                .one();
    }

    /** The newest few; reads the runs of one machine by run_machine_created_ix. */
    Flux<MachineView.RecentRun> recentRuns(Caller caller, MachineId machine) {
        return database.sql("""
                        select external_id, title, state, created_at from run
                         where machine_id = :machine and (visibility = 'public' or workspace_id = any(:mine))
                         order by created_at desc, run_id desc limit 10
                        """)
                .bind("machine", machine.value())
                .bind("mine", keys(caller.workspaces()))
                .map(row -> new MachineView.RecentRun(
                        text(row, "external_id"), text(row, "title"), text(row, "state"), instant(row, "created_at")))
                .all();
    }

    /** Adds a machine under the first free name of {@code slug}, {@code slug-2} …; to be called within a transaction. */
    Mono<MachineId> add(String id, RegistrationStore.Taken token, String slug, Secret key) {
        return database.sql("""
                        insert into machine (external_id, workspace_id, slug, name, visibility, agent_key_hash, agent_key_last4)
                        values (:id, :workspace, :slug, :name, :visibility, :hash, :last4)
                        returning machine_id
                        """)
                .bind("id", id)
                .bind("workspace", token.workspace().value())
                .bind("slug", slug)
                .bind("name", token.name())
                .bind("visibility", token.visibility())
                .bind("hash", key.hash())
                .bind("last4", key.last4())
                .map(row -> new MachineId(number(row, "machine_id")))
                .one();
    }

    /** The first of {@code slug}, {@code slug-2}, … that no machine of the workspace has. */
    Mono<String> freeSlug(WorkspaceId workspace, String slug) {
        return database.sql("""
                        select candidate from (
                          select 1 as n, :slug as candidate
                          union all select n, :slug || '-' || n from generate_series(2, 1000) n) c
                         where not exists (select 1 from machine m where m.workspace_id = :workspace and m.slug = c.candidate)
                         order by n limit 1
                        """)
                .bind("slug", slug)
                .bind("workspace", workspace.value())
                .map(row -> text(row, "candidate"))
                .one();
    }

    Mono<Void> replaceInventory(MachineId machine, Inventory inventory) {
        return database.sql("""
                        update machine
                           set agent_version = :version, fingerprint_hash = :fingerprint, class_hash = :class,
                               class_label = :label, fingerprint = :facts, inventory = :inventory, doctor = :doctor,
                               qualification = :qualification, qualified_at = :qualified
                         where machine_id = :machine
                        """)
                .bind("version", inventory.agentVersion())
                .bind("fingerprint", inventory.host().fingerprintHash())
                .bind("class", inventory.host().classHash())
                .bind("label", inventory.host().classLabel())
                .bind("doctor", Parameter.fromOrEmpty(doctorJson(inventory.doctor()), Json.class))
                .bind("qualification", Parameter.fromOrEmpty(qualificationJson(inventory.qualification()), Json.class))
                .bind("qualified", Parameter.fromOrEmpty(qualifiedAt(inventory), OffsetDateTime.class))
                .bind("facts", Json.of(json.writeValueAsString(inventory.host().facts())))
                .bind(
                        "inventory",
                        Json.of(json.writeValueAsString(new Offers(inventory.servers(), inventory.excludedJdks()))))
                .bind("machine", machine.value())
                .then();
    }

    /**
     * Keeps what the host is when it is not what it last was. What changes by itself (the clock of the moment, the exact
     * memory) is left out. Plan: machine_pk, machine_host_since_ix.
     */
    Mono<Void> logHost(MachineId machine, Inventory inventory, Instant now) {
        return database.sql("""
                        insert into machine_host (workspace_id, machine_id, since, fingerprint_hash, agent_version, facts)
                        select m.workspace_id, m.machine_id, :now, :fingerprint, :version,
                               :facts::jsonb #- '{shown,mhzNow}' #- '{shown,memoryExact}'
                          from machine m
                         where m.machine_id = :machine
                           and not coalesce((
                                 select h.fingerprint_hash = :fingerprint and h.agent_version = :version
                                        and h.facts = :facts::jsonb #- '{shown,mhzNow}' #- '{shown,memoryExact}'
                                   from machine_host h
                                  where h.machine_id = m.machine_id order by h.since desc, h.machine_host_id desc limit 1), false)
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("fingerprint", inventory.host().fingerprintHash())
                .bind("version", inventory.agentVersion())
                .bind("facts", Json.of(json.writeValueAsString(inventory.host().facts())))
                .bind("machine", machine.value())
                .then();
    }

    /** Notes that the machine's agent called. */
    public Mono<Void> seen(MachineId machine, Instant now) {
        return database.sql("update machine set last_seen_at = :now where machine_id = :machine")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("machine", machine.value())
                .then();
    }

    /** Makes the agent's key worthless; false when it was already. */
    Mono<Boolean> revoke(MachineId machine, Instant now) {
        return database.sql("""
                        update machine set agent_key_hash = null, agent_key_last4 = null, revoked_at = :now
                         where machine_id = :machine and revoked_at is null
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("machine", machine.value())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** With it goes what it measured: public is only what comes from a public matrix on a public machine. */
    Mono<Void> setVisibility(MachineId machine, String visibility) {
        return database.sql("""
                        with changed as (
                          update machine set visibility = :visibility where machine_id = :machine returning machine_id
                        ), runs as (
                          update run r set visibility = case when :visibility = 'public' then x.visibility else 'private' end
                            from matrix x, changed c
                           where x.matrix_id = r.matrix_id and r.machine_id = c.machine_id
                        ), entries as (
                          update leaderboard_entry e
                             set visibility = case when :visibility = 'public' then x.visibility else 'private' end
                            from run r, matrix x, changed c
                           where e.run_id = r.run_id and x.matrix_id = r.matrix_id and e.machine_id = c.machine_id
                        )
                        update series s
                           set visibility = case
                                 when :visibility = 'public' and not exists (
                                   select 1 from point p join run r using (run_id) join matrix x using (matrix_id)
                                    where p.series_id = s.series_id and x.visibility = 'private')
                                 then 'public' else 'private' end
                          from changed c
                         where s.machine_id = c.machine_id
                        """)
                .bind("visibility", visibility)
                .bind("machine", machine.value())
                .then();
    }

    Mono<Void> setReruns(MachineId machine, boolean reruns) {
        return database.sql("update machine set reruns = :reruns where machine_id = :machine")
                .bind("reruns", reruns)
                .bind("machine", machine.value())
                .then();
    }

    private @Nullable Json doctorJson(@Nullable Doctor doctor) {
        return doctor == null ? null : Json.of(json.writeValueAsString(doctor));
    }

    private @Nullable Json qualificationJson(@Nullable Qualification qualification) {
        return qualification == null ? null : Json.of(json.writeValueAsString(qualification));
    }

    /** When it was shown that the machine, as it is, repeats itself. */
    private static @Nullable OffsetDateTime qualifiedAt(Inventory inventory) {
        Qualification qualification = inventory.qualification();
        return qualification != null && qualification.holdsFor(inventory.host().fingerprintHash())
                ? qualification.measuredAt().atOffset(ZoneOffset.UTC)
                : null;
    }

    private @Nullable Qualification qualification(Readable row) {
        Json qualification = row.get("qualification", Json.class);
        return qualification == null ? null : json.readValue(qualification.asString(), Qualification.class);
    }

    private @Nullable Doctor doctor(Readable row) {
        Json doctor = row.get("doctor", Json.class);
        return doctor == null ? null : json.readValue(doctor.asString(), Doctor.class);
    }

    private Offers offers(String inventory) {
        return inventory.equals("{}") ? new Offers(List.of(), List.of()) : json.readValue(inventory, Offers.class);
    }

    private static MachineView.Summary summary(Readable row) {
        return new MachineView.Summary(
                new MachineId(number(row, "machine_id")),
                new WorkspaceId(number(row, "workspace_id")),
                text(row, "external_id"),
                text(row, "workspace"),
                text(row, "slug"),
                text(row, "name"),
                text(row, "visibility"),
                flag(row, "reruns"),
                textOrNull(row, "agent_key_last4"),
                textOrNull(row, "agent_version"),
                instant(row, "registered_at"),
                instantOrNull(row, "revoked_at"),
                instantOrNull(row, "last_seen_at"),
                instantOrNull(row, "qualified_at"),
                textOrNull(row, "class_label"),
                whole(row, "jdk_count"));
    }
}
