package dev.loomboard.membership;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Membership;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WorkspaceId;
import java.util.List;
import java.util.Optional;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Names of workspaces, for forms and URLs. */
@Repository
public class WorkspaceStore {

    private final DatabaseClient database;

    WorkspaceStore(DatabaseClient database) {
        this.database = database;
    }

    public record Workspace(WorkspaceId key, String slug, String name) {

        /** The one that a form names; else the first, which is the one that the person chose. */
        public static Optional<Workspace> chosen(List<Workspace> offered, String named) {
            return offered.stream()
                    .filter(w -> named.isEmpty() || w.slug().equals(named))
                    .findFirst();
        }
    }

    /** Those in which a person has the right, the chosen one first: where a form may put something new. */
    public Mono<List<Workspace>> where(Caller.Person person, Right right) {
        Membership chosen = person.chosen();
        return database.sql("""
                        select workspace_id, slug, name from workspace where workspace_id = any(:them)
                         order by workspace_id <> :chosen, slug
                        """)
                .bind(
                        "them",
                        person.where(right).stream().map(WorkspaceId::value).toArray(Long[]::new))
                .bind("chosen", chosen == null ? 0 : chosen.workspace().value())
                .map(row -> new Workspace(
                        new WorkspaceId(Rows.number(row, "workspace_id")),
                        Rows.text(row, "slug"),
                        Rows.text(row, "name")))
                .all()
                .collectList();
    }
}
