package dev.loomboard.runimport;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WorkspaceId;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** The workspace of the results that ship, and what is in it. */
@Repository
class ShippedResultsStore {

    private final DatabaseClient database;

    ShippedResultsStore(DatabaseClient database) {
        this.database = database;
    }

    /** Empty: a person made one of that name. By workspace_slug_uq. */
    Mono<WorkspaceId> workspace(String slug, String name) {
        return database.sql("""
                        insert into workspace (external_id, slug, name, visibility, stated_visibility)
                        values (:id, :slug, :name, 'public', 'public') on conflict (slug) do nothing
                        """)
                .bind("id", ExternalId.random("wsp").value())
                .bind("slug", slug)
                .bind("name", name)
                .then()
                .then(database.sql("""
                                select workspace_id from workspace
                                 where slug = :slug and created_by is null and deleted_at is null
                                """)
                        .bind("slug", slug)
                        .map(row -> new WorkspaceId(number(row, "workspace_id")))
                        .one());
    }

    /** Whether the very file was imported into it. By imported_run_origin_uq; there are a few. */
    Mono<Boolean> has(WorkspaceId workspace, byte[] sha256) {
        return database.sql("""
                        select exists (select from imported_run where workspace_id = :workspace and sha256 = :sha256) as has
                        """)
                .bind("workspace", workspace.value())
                .bind("sha256", sha256)
                .map(row -> flag(row, "has"))
                .one();
    }
}
