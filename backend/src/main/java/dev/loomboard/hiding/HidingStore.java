package dev.loomboard.hiding;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Urls;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** What is hidden. What changes it is called within a transaction. */
@Repository
class HidingStore {

    private static final int MOST = 500;

    private final DatabaseClient database;

    HidingStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * What is to be hidden, or shown again.
     *
     * @param machine the machine, or that of the run; null, as the next: of another kind
     */
    record Subject(
            HidingKind kind,
            WorkspaceId workspace,
            @Nullable MachineId machine,
            @Nullable Long run) {}

    /**
     * Empty: the caller may not see it. Plan: the unique index of its id.
     *
     * @param id external id, or slug of a workspace
     */
    Mono<Subject> subject(HidingKind kind, String id, Caller caller) {
        String sql = switch (kind) {
            case RUN -> """
                select r.workspace_id, r.machine_id, r.run_id from run r where r.external_id = :id and visible(r)
                """;
            case MACHINE -> """
                select m.workspace_id, m.machine_id, null::bigint as run_id from machine m
                 where m.external_id = :id and visible(m)
                """;
            case WORKSPACE -> """
                select w.workspace_id, null::bigint as machine_id, null::bigint as run_id from workspace w
                 where w.slug = :id and w.deleted_at is null and visible(w)
                """;
        };
        return VisibleSql.query(database, caller, sql)
                .bind("id", id)
                .map(row -> subject(kind, row))
                .one();
    }

    private static Subject subject(HidingKind kind, Readable row) {
        Long machine = row.get("machine_id", Long.class);
        return new Subject(
                kind,
                new WorkspaceId(Rows.number(row, "workspace_id")),
                machine == null ? null : new MachineId(machine),
                row.get("run_id", Long.class));
    }

    /** External id; empty: it is hidden already. */
    Mono<String> add(Subject subject, String reason, Caller.Person by, Instant now) {
        MachineId machine = subject.machine();
        return database.sql("""
                        insert into hiding (workspace_id, kind, machine_id, run_id, reason, hidden_by, hidden_at)
                        values (:workspace, :kind, case when :kind = 'machine' then :machine::bigint end, :run, :reason, :account,
                                :now)
                        on conflict do nothing
                        returning external_id
                        """)
                .bind("workspace", subject.workspace().value())
                .bind("kind", subject.kind().wire())
                .bind("machine", Parameter.fromOrEmpty(machine == null ? null : machine.value(), Long.class))
                .bind("run", Parameter.fromOrEmpty(subject.run(), Long.class))
                .bind("reason", reason)
                .bind("account", by.account().value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> Rows.text(row, "external_id"))
                .one();
    }

    /** What it was; empty: there is none that stands. */
    Mono<Subject> end(String id, Caller.Person by, Instant now) {
        return database.sql("""
                        update hiding h set shown_by = :account, shown_at = :now
                         where h.external_id = :id and h.shown_at is null
                        returning h.kind, h.workspace_id, h.run_id,
                                  coalesce(h.machine_id, (select r.machine_id from run r where r.run_id = h.run_id)) as machine_id
                        """)
                .bind("id", id)
                .bind("account", by.account().value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> subject(WireName.of(HidingKind.class, Rows.text(row, "kind")), row))
                .one();
    }

    Mono<Boolean> exists(String id) {
        return database.sql("select 1 as one from hiding where external_id = :id")
                .bind("id", id)
                .fetch()
                .first()
                .hasElement();
    }

    /** Those of the person's workspaces, of an administrator all; what is hidden first, then the newest. */
    Mono<List<Hiding>> all(Caller.Person person) {
        Long[] mine = person.workspaces().stream().map(WorkspaceId::value).toArray(Long[]::new);
        return database.sql("""
                        select h.external_id, h.kind, w.slug as workspace, w.name as workspace_name, m.slug as machine,
                               m.name as machine_name, r.external_id as run, r.title as run_title, h.reason, h.hidden_at,
                               a.display_name as by, h.shown_at, s.display_name as shown_by
                          from hiding h join workspace w using (workspace_id)
                          join account a on a.account_id = h.hidden_by left join account s on s.account_id = h.shown_by
                          left join machine m on m.machine_id = h.machine_id left join run r on r.run_id = h.run_id
                         where :all or h.workspace_id = any(:workspaces)
                         order by h.shown_at is not null, h.hiding_id desc limit :most
                        """)
                .bind("all", person.administrator())
                .bind("workspaces", mine)
                .bind("most", MOST)
                .map(HidingStore::hiding)
                .all()
                .collectList();
    }

    private static Hiding hiding(Readable row) {
        HidingKind kind = WireName.of(HidingKind.class, Rows.text(row, "kind"));
        String workspace = Rows.text(row, "workspace");
        return new Hiding(
                Rows.text(row, "external_id"),
                kind,
                workspace,
                switch (kind) {
                    case RUN -> Rows.text(row, "run_title");
                    case MACHINE -> Rows.text(row, "machine_name");
                    case WORKSPACE -> Rows.text(row, "workspace_name");
                },
                switch (kind) {
                    case RUN -> Urls.run(Rows.text(row, "run"));
                    case MACHINE -> Urls.machine(workspace, Rows.text(row, "machine"));
                    case WORKSPACE -> PeopleUrls.workspace(workspace);
                },
                Rows.text(row, "reason"),
                Rows.instant(row, "hidden_at"),
                Rows.text(row, "by"),
                Rows.instantOrNull(row, "shown_at"),
                Rows.textOrNull(row, "shown_by"));
    }
}
