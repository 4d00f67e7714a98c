package dev.loomboard.machine;

import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.measurement.DoctorReport;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashSet;
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

/** What machines say of themselves: the host, what they offer, the doctor's report and their qualification. */
@Repository
public class InventoryStore {

    private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};
    private static final TypeReference<List<Qualification>> ATTEMPTS = new TypeReference<>() {};

    private static final int SHOWN_ATTEMPTS = 50;

    private final DatabaseClient database;
    private final JsonMapper json;

    InventoryStore(DatabaseClient database, JsonMapper json) {
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
            @Nullable DoctorReport doctor,
            @Nullable Qualification qualification,
            List<Qualification> attempts) {}

    /** The servers that a machine offers. */
    public Mono<List<ServerOffer>> servers(MachineId machine) {
        return details(machine).map(d -> d.offers().servers());
    }

    /** What a matrix may require of a machine. */
    public Mono<Capabilities> capabilities(MachineId machine) {
        return database.sql(
                        "select labels || offered_labels as labels, fingerprint from machine where machine_id = :machine")
                .bind("machine", machine.value())
                .map(row -> Capabilities.of(
                        new HashSet<>(texts(row, "labels")), json.readValue(json(row, "fingerprint"), FACTS)))
                .one();
    }

    /** Plan: machine_pk, machine_qualification_once_uq. */
    Mono<Details> details(MachineId machine) {
        return database.sql("""
                        select m.fingerprint_hash, m.class_hash, m.fingerprint, m.inventory, m.doctor, m.qualification,
                               (select coalesce(jsonb_agg(a.result order by a.measured_at desc), '[]')
                                  from (select * from machine_qualification q where q.machine_id = m.machine_id
                                         order by q.measured_at desc limit :attempts) a) as attempts
                          from machine m
                         where m.machine_id = :machine
                        """)
                .bind("attempts", SHOWN_ATTEMPTS)
                .bind("machine", machine.value())
                .map(row -> new Details(
                        textOrNull(row, "fingerprint_hash"),
                        textOrNull(row, "class_hash"),
                        json.readValue(json(row, "fingerprint"), FACTS),
                        offers(json(row, "inventory")),
                        doctor(row),
                        qualification(row),
                        json.readValue(json(row, "attempts"), ATTEMPTS)))
                .one();
    }

    Mono<Void> replace(MachineId machine, Inventory inventory) {
        return database.sql("""
                        update machine
                           set agent_version = :version, fingerprint_hash = :fingerprint, class_hash = :class,
                               class_label = :label, fingerprint = :facts, inventory = :inventory, doctor = :doctor,
                               qualification = :qualification, qualified_at = :qualified,
                               offered_labels = :labels
                         where machine_id = :machine
                        """)
                .bind("version", inventory.agentVersion())
                .bind("fingerprint", inventory.host().fingerprintHash())
                .bind("class", inventory.host().classHash())
                .bind("label", inventory.host().classLabel())
                .bind("doctor", Parameter.fromOrEmpty(doctorJson(inventory.doctor()), Json.class))
                .bind("qualification", Parameter.fromOrEmpty(qualificationJson(inventory.qualification()), Json.class))
                .bind("qualified", Parameter.fromOrEmpty(qualifiedAt(inventory), OffsetDateTime.class))
                .bind("labels", inventory.offeredLabels())
                .bind("facts", Json.of(json.writeValueAsString(inventory.host().facts())))
                .bind(
                        "inventory",
                        Json.of(json.writeValueAsString(new Offers(inventory.servers(), inventory.excludedJdks()))))
                .bind("machine", machine.value())
                .then();
    }

    /** Keeps attempts that are not known yet. */
    Mono<Void> keepAttempts(MachineId machine, List<Qualification> attempts) {
        return Flux.fromIterable(attempts)
                .concatMap(attempt -> database.sql("""
                                insert into machine_qualification (workspace_id, machine_id, measured_at, result)
                                select m.workspace_id, m.machine_id, :at, :result from machine m where m.machine_id = :machine
                                on conflict on constraint machine_qualification_once_uq do nothing
                                """)
                        .bind("machine", machine.value())
                        .bind("at", attempt.measuredAt().atOffset(ZoneOffset.UTC))
                        .bind("result", Json.of(json.writeValueAsString(attempt)))
                        .then())
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

    private @Nullable Json doctorJson(@Nullable DoctorReport doctor) {
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

    private @Nullable DoctorReport doctor(Readable row) {
        Json doctor = row.get("doctor", Json.class);
        return doctor == null ? null : json.readValue(doctor.asString(), DoctorReport.class);
    }

    private Offers offers(String inventory) {
        return inventory.equals("{}") ? new Offers(List.of(), List.of()) : json.readValue(inventory, Offers.class);
    }
}
