package dev.loomboard.jdkflags;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.VisibleSql;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Default flags of the builds of machines. */
@Repository
public class JdkFlagStore {

    /** Of a machine: what it measured lately can be compared. */
    static final int KEPT = 200;

    private static final TypeReference<Map<String, JdkFlag>> FLAGS = new TypeReference<>() {};

    private final DatabaseClient database;
    private final JsonMapper json;

    JdkFlagStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Agents' names of the builds of a machine whose flags are not known of the host that it is. Plan: primary keys. */
    Flux<String> without(MachineId machine) {
        return database.sql("""
                        select h.agent_slug
                          from machine m join machine_jdk h using (machine_id)
                          left join machine_jdk_flags f
                            on f.machine_id = h.machine_id and f.jdk_build_id = h.jdk_build_id and f.fingerprint_hash = m.fingerprint_hash
                         where m.machine_id = :machine and h.present and f.machine_id is null
                         order by h.agent_slug limit 100
                        """)
                .bind("machine", machine.value())
                .map(row -> text(row, "agent_slug"))
                .all();
    }

    /** Whether the machine has such a build. Forgets the oldest of a machine that are too many. Plan: machine_jdk_flags_read_ix. */
    Mono<Boolean> put(MachineId machine, String agentSlug, JdkFlags report) {
        return database.sql("""
                        insert into machine_jdk_flags (machine_id, jdk_build_id, fingerprint_hash, flags)
                        select machine_id, h.jdk_build_id, m.fingerprint_hash, :flags
                          from machine m join machine_jdk h using (machine_id)
                         where machine_id = :machine and h.present and h.agent_slug = :slug and m.fingerprint_hash is not null
                        on conflict (machine_id, jdk_build_id) do update
                           set fingerprint_hash = excluded.fingerprint_hash, flags = excluded.flags, read_at = excluded.read_at
                        """)
                .bind("machine", machine.value())
                .bind("slug", agentSlug)
                .bind("flags", Json.of(json.writeValueAsString(report.flags())))
                .fetch()
                .rowsUpdated()
                .flatMap(rows -> rows == 0 ? Mono.just(false) : forget(machine).thenReturn(true));
    }

    private Mono<Void> forget(MachineId machine) {
        return database.sql("""
                        delete from machine_jdk_flags
                         where machine_id = :machine
                           and read_at < (select f.read_at from machine_jdk_flags f where f.machine_id = :machine
                                           order by f.read_at desc offset :kept limit 1)
                        """)
                .bind("machine", machine.value())
                .bind("kept", KEPT - 1)
                .then();
    }

    /**
     * What changed from one build to another, on the machine to be believed most that has read both; empty: none that the caller may see.
     * Plan: jdk_build_slug_uq, machine_jdk_flags_jdk_build_ix.
     */
    public Mono<FlagChanges> between(Caller caller, String before, String after) {
        return between(caller, before, after, "");
    }

    /** The same, and rather on that machine: its workspace, a slash, its name. */
    public Mono<FlagChanges> between(Caller caller, String before, String after, String machine) {
        return VisibleSql.query(database, caller, """
                        select w.slug as workspace, m.slug, m.name, a.flags as flags_before, b.flags as flags_after,
                               a.fingerprint_hash = b.fingerprint_hash as same_host
                          from machine_jdk_flags a join machine_jdk_flags b using (machine_id)
                          join machine m using (machine_id) join workspace w using (workspace_id)
                         where a.jdk_build_id = (select jdk_build_id from jdk_build where slug = :before)
                           and b.jdk_build_id = (select jdk_build_id from jdk_build where slug = :after)
                           and visible(m)
                         order by w.slug || '/' || m.slug = :machine desc, a.fingerprint_hash = b.fingerprint_hash desc, m.visibility = 'public' and m.admitted_at is not null desc,
                                  m.visibility = 'public' desc, least(a.read_at, b.read_at) desc, machine_id
                         limit 1
                        """)
                .bind("machine", machine)
                .bind("before", before)
                .bind("after", after)
                .map(this::changes)
                .one();
    }

    private FlagChanges changes(Readable row) {
        return FlagChanges.between(
                new FlagChanges.Machine(text(row, "workspace"), text(row, "slug"), text(row, "name")),
                json.readValue(json(row, "flags_before"), FLAGS),
                json.readValue(json(row, "flags_after"), FLAGS),
                flag(row, "same_host"));
    }
}
