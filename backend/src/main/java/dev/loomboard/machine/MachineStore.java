package dev.loomboard.machine;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.RunState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Machines. What a caller may not see is not found. */
@Repository
public class MachineStore {

    /** By unique index (workspace_id, slug), or for lists by workspace; counting builds probes the key of machine_jdk. */
    private static final String SUMMARY = """
            select m.machine_id, m.workspace_id, m.external_id, w.slug as workspace, m.slug, m.name, m.visibility, m.reruns,
                   m.agent_key_last4, m.agent_key_expires_at, m.agent_version, m.registered_at, m.revoked_at,
           m.last_seen_at, m.qualified_at, m.admitted_at, m.draining_since,
           case when m.origin_id is not null then m.registered_at end as imported_at, m.labels, m.offered_labels,
                   m.class_label,
                   (select count(*)::int from machine_jdk j where j.machine_id = m.machine_id and j.present) as jdk_count
              from machine m join workspace w using (workspace_id)
             where visible(m)
            """;

    private final DatabaseClient database;

    MachineStore(DatabaseClient database) {
        this.database = database;
    }

    /** All that the caller may see, those that call first. */
    public Flux<MachineView.Summary> visible(Caller caller) {
        return VisibleSql.query(
                        database, caller, SUMMARY + " order by m.last_seen_at desc nulls last, m.machine_id limit 500")
                .map(MachineStore::summary)
                .all();
    }

    /** Those on which the caller may run something. */
    public Flux<MachineView.Summary> runnable(Caller caller) {
        return visible(caller)
                .filter(machine -> caller.may(Right.RUN, machine.workspaceKey())
                        && !machine.agent().revoked());
    }

    public Mono<MachineView.Summary> find(Caller caller, String workspace, String slug) {
        return VisibleSql.query(database, caller, SUMMARY + " and w.slug = :workspace and m.slug = :slug")
                .bind("workspace", workspace)
                .bind("slug", slug)
                .map(MachineStore::summary)
                .one();
    }

    /** A machine of a workspace, whatever its visibility: for callers that act within it. */
    public Mono<MachineView.Summary> ofWorkspace(WorkspaceId workspace, String slug) {
        return VisibleSql.query(
                        database, Set.of(workspace), SUMMARY + " and m.workspace_id = :workspace and m.slug = :slug")
                .bind("workspace", workspace.value())
                .bind("slug", slug)
                .map(MachineStore::summary)
                .one();
    }

    /** The newest few; reads the runs of one machine by run_machine_created_ix. */
    Flux<MachineView.RecentRun> recentRuns(Caller caller, MachineId machine) {
        return VisibleSql.query(database, caller, """
                        select external_id, title, state, created_at from run
                         where machine_id = :machine and visible(run)
                         order by created_at desc, run_id desc limit 10
                        """)
                .bind("machine", machine.value())
                .map(row -> new MachineView.RecentRun(
                        text(row, "external_id"),
                        text(row, "title"),
                        WireName.of(RunState.class, text(row, "state")),
                        instant(row, "created_at")))
                .all();
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
                        update machine set agent_key_hash = null, agent_key_last4 = null, agent_key_expires_at = null,
                                           previous_key_hash = null, previous_key_until = null, revoked_at = :now
                         where machine_id = :machine and revoked_at is null
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("machine", machine.value())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** What its owner says of it. What comes of that is settled by {@code VisibilityStore}. */
    Mono<Void> stateVisibility(MachineId machine, Visibility visibility) {
        return database.sql("update machine set stated_visibility = :visibility where machine_id = :machine")
                .bind("visibility", visibility.wire())
                .bind("machine", machine.value())
                .then();
    }

    /** @param at when it was admitted to public ranks; null: it is not any more */
    Mono<Void> setAdmission(MachineId machine, @Nullable Instant at) {
        return database.sql("update machine set admitted_at = :at where machine_id = :machine")
                .bind(
                        "at",
                        Parameter.fromOrEmpty(at == null ? null : at.atOffset(ZoneOffset.UTC), OffsetDateTime.class))
                .bind("machine", machine.value())
                .then();
    }

    Mono<Void> setReruns(MachineId machine, boolean reruns) {
        return database.sql("update machine set reruns = :reruns where machine_id = :machine")
                .bind("reruns", reruns)
                .bind("machine", machine.value())
                .then();
    }

    private static MachineView.Summary summary(Readable row) {
        return new MachineView.Summary(
                new MachineId(number(row, "machine_id")),
                new WorkspaceId(number(row, "workspace_id")),
                text(row, "external_id"),
                text(row, "workspace"),
                text(row, "slug"),
                text(row, "name"),
                WireName.of(Visibility.class, text(row, "visibility")),
                flag(row, "reruns"),
                new MachineView.Agent(
                        textOrNull(row, "agent_key_last4"),
                        instantOrNull(row, "agent_key_expires_at"),
                        textOrNull(row, "agent_version"),
                        instant(row, "registered_at"),
                        instantOrNull(row, "revoked_at"),
                        instantOrNull(row, "last_seen_at")),
                new MachineView.Since(
                        instantOrNull(row, "qualified_at"),
                        instantOrNull(row, "admitted_at"),
                        instantOrNull(row, "draining_since"),
                        instantOrNull(row, "imported_at")),
                new MachineView.Tags(
                        texts(row, "labels"), texts(row, "offered_labels"), textOrNull(row, "class_label")),
                whole(row, "jdk_count"));
    }
}
