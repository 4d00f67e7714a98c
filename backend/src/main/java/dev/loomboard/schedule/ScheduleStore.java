package dev.loomboard.schedule;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Schedules: the truth, of which Quartz's triggers are derived. What a caller may not see is not found. */
@Repository
public class ScheduleStore {

    /** A schedule joined to the rows it names, each by primary key. */
    private static final String SELECT = """
            select s.schedule_id, s.workspace_id, s.external_id, w.slug as workspace, s.slug, s.title,
                   x.matrix_id, x.external_id as matrix, x.slug as matrix_slug, x.title as matrix_title,
                   m.machine_id, m.external_id as machine, m.slug as machine_slug, m.name as machine_name, m.revoked_at,
                   (x.visibility = 'public' and m.visibility = 'public') as is_public,
                   s.cron, s.zone, s.jdk_selectors, s.only_new, s.overlap, s.most_hours, s.alarm_hours, s.backfill, s.state, s.updated_at,
                   s.control, s.control_build_id, s.control_since, s.control_note, c.slug as control_build
              from schedule s
              join workspace w on w.workspace_id = s.workspace_id
              join matrix x on x.matrix_id = s.matrix_id
              join machine m on m.machine_id = s.machine_id
              left join jdk_build c on c.jdk_build_id = s.control_build_id
            """;

    private static final String VISIBLE = " where visible(s: x, m)";

    private final DatabaseClient database;

    ScheduleStore(DatabaseClient database) {
        this.database = database;
    }

    /** All that the caller may see, by name. */
    public Flux<Schedule> visible(Caller caller) {
        return VisibleSql.query(database, caller, SELECT + VISIBLE + " order by w.slug, s.slug limit 500")
                .map(ScheduleStore::schedule)
                .all();
    }

    public Mono<Schedule> find(Caller caller, String workspace, String slug) {
        return VisibleSql.query(database, caller, SELECT + VISIBLE + " and w.slug = :workspace and s.slug = :slug")
                .bind("workspace", workspace)
                .bind("slug", slug)
                .map(ScheduleStore::schedule)
                .one();
    }

    /** A schedule of a workspace, whatever its visibility: for callers that act within it. */
    public Mono<Schedule> ofWorkspace(WorkspaceId workspace, String slug) {
        return database.sql(SELECT + " where s.workspace_id = :workspace and s.slug = :slug")
                .bind("workspace", workspace.value())
                .bind("slug", slug)
                .map(ScheduleStore::schedule)
                .one();
    }

    /** Without a check of the caller: for what the service does by itself. */
    public Mono<Schedule> byId(String id) {
        return database.sql(SELECT + " where s.external_id = :id")
                .bind("id", id)
                .map(ScheduleStore::schedule)
                .one();
    }

    /** The schedule, locked until the transaction ends: of two replicas with one firing the second waits here. */
    Mono<Schedule> lock(String id) {
        return database.sql(SELECT + " where s.external_id = :id for update of s")
                .bind("id", id)
                .map(ScheduleStore::schedule)
                .one();
    }

    /** Every schedule there is, in the order of their making. */
    Flux<Schedule> all() {
        return database.sql(SELECT + " order by s.schedule_id limit 10000")
                .map(ScheduleStore::schedule)
                .all();
    }

    /** Those of the first workspace first; of our tools' those that have a schedule, which its form shows. */
    public Flux<Choice> matrices(List<WorkspaceId> workspaces) {
        return choices("""
                select x.workspace_id, w.slug as workspace, x.matrix_id as key, x.external_id, x.title
                  from matrix x join workspace w using (workspace_id)
                 where x.workspace_id = any(:mine) and x.archived_at is null
                       and (x.listed or exists (select from schedule s where s.matrix_id = x.matrix_id))
                 order by x.workspace_id <> :first, w.slug, x.title limit 500
                """, workspaces);
    }

    public Flux<Choice> machines(List<WorkspaceId> workspaces) {
        return choices("""
                select m.workspace_id, w.slug as workspace, m.machine_id as key, m.external_id, m.name as title
                  from machine m join workspace w using (workspace_id)
                 where m.workspace_id = any(:mine) and m.revoked_at is null
                 order by m.workspace_id <> :first, w.slug, m.name limit 500
                """, workspaces);
    }

    private Flux<Choice> choices(String sql, List<WorkspaceId> workspaces) {
        return VisibleSql.query(database, Set.copyOf(workspaces), sql)
                .bind("first", workspaces.isEmpty() ? 0 : workspaces.getFirst().value())
                .map(row -> new Choice(
                        new WorkspaceId(number(row, "workspace_id")),
                        text(row, "workspace"),
                        number(row, "key"),
                        text(row, "external_id"),
                        text(row, "title")))
                .all();
    }

    /**
     * Adds an active schedule under the first free name of {@code slug}, {@code slug-2} …; gives the name.
     *
     * @param createdBy null: a token, which the audit log names
     */
    public Mono<String> add(
            String id,
            WorkspaceId workspace,
            String slug,
            ScheduleDraft draft,
            long matrix,
            long machine,
            @Nullable AccountId createdBy,
            Instant now) {
        return with(draft, database.sql("""
                        insert into schedule (external_id, workspace_id, slug, title, matrix_id, machine_id, cron, zone,
                                              jdk_selectors, only_new, overlap, most_hours, alarm_hours, backfill, created_by, created_at, updated_at)
                        select :id, :workspace, c.candidate, :title, :matrix, :machine, :cron, :zone, :jdks, :only_new,
                               :overlap, :most_hours, :alarm_hours, :backfill, :by, :now, :now
                          from (select 1 as n, :slug as candidate
                                union all select n, :slug || '-' || n from generate_series(2, 1000) n) c
                         where not exists (
                           select 1 from schedule o where o.workspace_id = :workspace and o.slug = c.candidate)
                         order by c.n limit 1
                        returning slug
                        """))
                .bind("id", id)
                .bind("workspace", workspace.value())
                .bind("slug", slug)
                .bind("matrix", matrix)
                .bind("machine", machine)
                .bind("by", Parameter.fromOrEmpty(createdBy == null ? null : createdBy.value(), Long.class))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> text(row, "slug"))
                .one();
    }

    /** Its name in URLs stays. Only new times restart it: see {@link Schedule#since}. */
    public Mono<Void> change(ScheduleId schedule, ScheduleDraft draft, long matrix, long machine, Instant now) {
        return with(draft, database.sql("""
                        update schedule
                           set title = :title, matrix_id = :matrix, machine_id = :machine, jdk_selectors = :jdks,
                               only_new = :only_new, overlap = :overlap, most_hours = :most_hours,
                               alarm_hours = :alarm_hours, backfill = :backfill,
                               updated_at = case when (cron, zone) = (:cron, :zone) then updated_at else :now end,
                               cron = :cron, zone = :zone
                         where schedule_id = :schedule
                        """))
                .bind("matrix", matrix)
                .bind("machine", machine)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("schedule", schedule.value())
                .then();
    }

    private static GenericExecuteSpec with(ScheduleDraft draft, GenericExecuteSpec sql) {
        return sql.bind("title", draft.title())
                .bind("cron", draft.cron())
                .bind("zone", draft.zone())
                .bind("jdks", draft.jdks().toArray(String[]::new))
                .bind("only_new", draft.onlyNew())
                .bind("overlap", draft.rules().overlap().wire())
                .bind("most_hours", Parameter.fromOrEmpty(draft.rules().mostHours(), Integer.class))
                .bind("alarm_hours", Parameter.fromOrEmpty(draft.rules().alarmHours(), Integer.class))
                .bind("backfill", draft.rules().backfill());
    }

    /** False when it was so already. */
    public Mono<Boolean> setState(ScheduleId schedule, Schedule.State state, Instant now) {
        return database.sql("""
                        update schedule set state = :state, updated_at = :now
                         where schedule_id = :schedule and state <> :state
                        """)
                .bind("state", state.wire())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("schedule", schedule.value())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /**
     * @param build internal key; null: none
     * @param note why; null: nothing is chosen
     */
    Mono<Void> putControl(ScheduleId schedule, boolean on, @Nullable Long build, @Nullable String note, Instant now) {
        return database.sql("""
                        update schedule
                           set control = :on, control_note = :note,
                               control_since = case when control_build_id = :build then control_since
                                                    when :build::bigint is not null then :now end,
                               control_build_id = :build
                         where schedule_id = :schedule
                        """)
                .bind("on", on)
                .bind("build", Parameter.fromOrEmpty(build, Long.class))
                .bind("note", Parameter.fromOrEmpty(note, String.class))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("schedule", schedule.value())
                .then();
    }

    /** Its firings go with it; its runs stay, as of nobody's schedule. To be called within a transaction. */
    public Mono<Void> delete(ScheduleId schedule) {
        return database.sql("delete from schedule_firing where schedule_id = :schedule")
                .bind("schedule", schedule.value())
                .then()
                .then(database.sql("update run set schedule_id = null where schedule_id = :schedule")
                        .bind("schedule", schedule.value())
                        .then())
                .then(database.sql("delete from schedule where schedule_id = :schedule")
                        .bind("schedule", schedule.value())
                        .then());
    }

    private static Schedule schedule(Readable row) {
        return new Schedule(
                new ScheduleId(number(row, "schedule_id")),
                new WorkspaceId(number(row, "workspace_id")),
                text(row, "external_id"),
                text(row, "workspace"),
                text(row, "slug"),
                text(row, "title"),
                new Schedule.MatrixRef(
                        number(row, "matrix_id"),
                        text(row, "matrix"),
                        text(row, "matrix_slug"),
                        text(row, "matrix_title")),
                new Schedule.Machine(
                        new MachineId(number(row, "machine_id")),
                        text(row, "machine"),
                        text(row, "machine_slug"),
                        text(row, "machine_name"),
                        instantOrNull(row, "revoked_at")),
                flag(row, "is_public") ? Visibility.PUBLIC : Visibility.PRIVATE,
                new Schedule.Times(text(row, "cron"), text(row, "zone"), instant(row, "updated_at")),
                new Schedule.Builds(
                        texts(row, "jdk_selectors"),
                        flag(row, "only_new"),
                        new Schedule.Control(
                                flag(row, "control"),
                                row.get("control_build_id", Long.class),
                                textOrNull(row, "control_build"),
                                instantOrNull(row, "control_since"),
                                textOrNull(row, "control_note"))),
                new Schedule.Rules(
                        WireName.of(Overlap.class, text(row, "overlap")),
                        row.get("most_hours", Integer.class),
                        row.get("alarm_hours", Integer.class),
                        whole(row, "backfill")),
                WireName.of(Schedule.State.class, text(row, "state")));
    }
}
