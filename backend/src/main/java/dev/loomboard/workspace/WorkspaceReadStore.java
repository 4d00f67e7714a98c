package dev.loomboard.workspace;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Workspaces and what is in them. What a caller may not see is not found. */
@Repository
class WorkspaceReadStore {

    private static final int MOST = 200;

    private static final String SELECT = """
            select w.workspace_id, w.external_id, w.slug, w.name, w.stated_visibility, w.hidden, w.created_at,
                   w.created_by is null and w.slug = '%s' as shipped
              from workspace w
             where w.deleted_at is null and visible(w)
            """.formatted(WorkspaceId.SHIPPED);

    private final DatabaseClient database;

    WorkspaceReadStore(DatabaseClient database) {
        this.database = database;
    }

    /** Plan: workspace_slug_uq. */
    Mono<WorkspaceView> find(Caller caller, String slug) {
        return VisibleSql.query(database, caller, SELECT + " and w.slug = :slug")
                .bind("slug", slug)
                .map(WorkspaceReadStore::view)
                .one();
    }

    /** The person's own, by slug. Plan: workspace_member_account_ix, then keys. */
    Mono<List<WorkspaceListPage.Row>> of(Caller.Person person) {
        return VisibleSql.query(database, person, """
                        select w.workspace_id, w.external_id, w.slug, w.name, w.stated_visibility, w.hidden, w.created_at, false as shipped, m.role,
                               (select count(*)::int from machine x where x.workspace_id = w.workspace_id
                                                                      and x.revoked_at is null) as machines,
                               (select count(*)::int from workspace_member x where x.workspace_id = w.workspace_id) as members
                          from workspace_member m join workspace w using (workspace_id)
                         where m.account_id = :account and w.deleted_at is null and visible(w)
                         order by w.slug limit :most
                        """)
                .bind("account", person.account().value())
                .bind("most", MOST)
                .map(row -> new WorkspaceListPage.Row(
                        view(row),
                        WireName.of(Role.class, Rows.text(row, "role")),
                        Rows.whole(row, "machines"),
                        Rows.whole(row, "members")))
                .all()
                .collectList();
    }

    /** Machines that are not revoked or were imported, matrices and schedules, as far as the caller sees them, each by its name. */
    Mono<WorkspacePage.Contents> contents(Caller caller, WorkspaceId workspace) {
        return Mono.zip(
                        links(caller, workspace, """
                                select m.slug, m.name as title from machine m
                                 where m.workspace_id = :workspace and (m.revoked_at is null or m.origin_id is not null) and visible(m)
                                 order by m.name, m.slug limit :most
                                """),
                        links(caller, workspace, """
                                select x.slug, x.title from matrix x
                                 where x.workspace_id = :workspace and x.archived_at is null and x.listed and visible(x)
                                 order by x.title, x.slug limit :most
                                """),
                        links(caller, workspace, """
                                select s.slug, s.title
                                  from schedule s join matrix x using (matrix_id) join machine m on m.machine_id = s.machine_id
                                 where s.workspace_id = :workspace and visible(x) and visible(m)
                                 order by s.title, s.slug limit :most
                                """),
                        members(workspace))
                .map(all -> new WorkspacePage.Contents(all.getT1(), all.getT2(), all.getT3(), all.getT4()));
    }

    private Mono<List<WorkspacePage.Link>> links(Caller caller, WorkspaceId workspace, String sql) {
        return VisibleSql.query(database, caller, sql)
                .bind("workspace", workspace.value())
                .bind("most", WorkspacePage.MOST)
                .map(row -> new WorkspacePage.Link(Rows.text(row, "slug"), Rows.text(row, "title")))
                .all()
                .collectList();
    }

    private Mono<Map<String, Integer>> members(WorkspaceId workspace) {
        return database.sql("""
                        select role, count(*)::int as members from workspace_member
                         where workspace_id = :workspace group by role limit 3
                        """)
                .bind("workspace", workspace.value())
                .map(row -> Map.entry(Rows.text(row, "role"), Rows.whole(row, "members")))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private static WorkspaceView view(Readable row) {
        return new WorkspaceView(
                new WorkspaceId(Rows.number(row, "workspace_id")),
                Rows.text(row, "external_id"),
                Rows.text(row, "slug"),
                Rows.text(row, "name"),
                WireName.of(Visibility.class, Rows.text(row, "stated_visibility")),
                Rows.flag(row, "hidden"),
                Rows.flag(row, "shipped"),
                Rows.instant(row, "created_at"));
    }
}
