package dev.loomboard.inventory;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
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
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
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

    /** Of a machine, the newest: an agent reports up to twenty each time. */
    static final int KEPT_ATTEMPTS = 200;

    /** What a report says of the host, without what changes by itself. */
    private static final String FACTS_THAT_STAY = " :facts::jsonb #- '{shown,mhzNow}' #- '{shown,memoryExact}' ";

    private final DatabaseClient database;
    private final JsonMapper json;

    InventoryStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Servers, workloads and excluded JDKs as the column {@code inventory} keeps them. */
    public record Offers(List<ServerOffer> servers, List<Inventory.ExcludedJdk> excludedJdks) {}

    /** What only a machine's own page reads. */
    public record Details(
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
    public Mono<Details> details(MachineId machine) {
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

    public Mono<Void> replace(MachineId machine, Inventory inventory) {
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

    /** Keeps attempts that are not known yet, and forgets those that are too many. Plan: machine_qualification_once_uq. */
    public Mono<Void> keepAttempts(MachineId machine, List<Qualification> attempts) {
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
                .then(Mono.defer(() -> database.sql("""
                                delete from machine_qualification
                                 where machine_id = :machine
                                   and measured_at <= (select q.measured_at from machine_qualification q
                                                        where q.machine_id = :machine
                                                        order by q.measured_at desc offset :kept limit 1)
                                """)
                        .bind("machine", machine.value())
                        .bind("kept", KEPT_ATTEMPTS)
                        .then()));
    }

    /** A row of the log: whether it is of the hour of the report, and whether it says the same. */
    private record HostRow(long key, boolean thisHour, boolean same) {}

    /**
     * Keeps what the host is when it is not what it last was, in at most one row per machine and hour: what differs within
     * the hour stands in place of the hour's row, and going back to what was before takes that row away. What changes by
     * itself (the clock of the moment, the exact memory) is left out. The machine's row is locked, so no other report
     * comes between.
     */
    public Mono<Void> logHost(MachineId machine, Inventory inventory, Instant now) {
        return lastHosts(machine, inventory, now).flatMap(last -> {
            if (!last.isEmpty() && last.getFirst().same()) {
                return Mono.empty();
            }
            if (last.isEmpty() || !last.getFirst().thisHour()) {
                return addHost(machine, inventory, now);
            }
            return last.size() > 1 && last.get(1).same()
                    ? removeHost(last.getFirst().key())
                    : replaceHost(last.getFirst().key(), inventory, now);
        });
    }

    /** The newest two, the newest first. Plan: machine_host_since_ix. */
    private Mono<List<HostRow>> lastHosts(MachineId machine, Inventory inventory, Instant now) {
        return host(database.sql("""
                        select h.machine_host_id, h.since >= date_trunc('hour', :now::timestamptz, 'UTC') as this_hour,
                               h.fingerprint_hash = :fingerprint and h.agent_version = :version and h.facts = """ + FACTS_THAT_STAY + """
                                 as same
                          from machine_host h
                         where h.machine_id = :machine
                         order by h.since desc, h.machine_host_id desc
                         limit 2
                        """), inventory, now)
                .bind("machine", machine.value())
                .map(row -> new HostRow(number(row, "machine_host_id"), flag(row, "this_hour"), flag(row, "same")))
                .all()
                .collectList();
    }

    private Mono<Void> addHost(MachineId machine, Inventory inventory, Instant now) {
        return host(database.sql("""
                        insert into machine_host (workspace_id, machine_id, since, fingerprint_hash, agent_version, facts)
                        select m.workspace_id, m.machine_id, :now, :fingerprint, :version, """ + FACTS_THAT_STAY + """
                          from machine m
                         where m.machine_id = :machine
                        """), inventory, now)
                .bind("machine", machine.value())
                .then();
    }

    private Mono<Void> replaceHost(long key, Inventory inventory, Instant now) {
        return host(database.sql("""
                        update machine_host
                           set since = :now, fingerprint_hash = :fingerprint, agent_version = :version,
                               facts = """ + FACTS_THAT_STAY + " where machine_host_id = :key"), inventory, now)
                .bind("key", key)
                .then();
    }

    private Mono<Void> removeHost(long key) {
        return database.sql("delete from machine_host where machine_host_id = :key")
                .bind("key", key)
                .then();
    }

    private GenericExecuteSpec host(GenericExecuteSpec sql, Inventory inventory, Instant now) {
        return sql.bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("fingerprint", inventory.host().fingerprintHash())
                .bind("version", inventory.agentVersion())
                .bind("facts", Json.of(json.writeValueAsString(inventory.host().facts())));
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
