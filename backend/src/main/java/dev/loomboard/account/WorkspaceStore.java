package dev.loomboard.account;

import dev.loomboard.kernel.Caller;
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

        /** The one that a form names; where there is only one, nothing need be named. */
        public static Optional<Workspace> chosen(List<Workspace> owned, String named) {
            return named.isEmpty() && owned.size() == 1
                    ? Optional.of(owned.getFirst())
                    : owned.stream().filter(w -> w.slug().equals(named)).findFirst();
        }
    }

    /** Those a person owns, by slug: where a form may put something new. */
    public Mono<List<Workspace>> owned(Caller.Person person) {
        Long[] owned = person.workspaces().stream()
                .filter(person::owns)
                .map(WorkspaceId::value)
                .toArray(Long[]::new);
        return database.sql(
                        "select workspace_id, slug, name from workspace where workspace_id = any(:owned) order by slug")
                .bind("owned", owned)
                .map(row -> new Workspace(
                        new WorkspaceId(Rows.number(row, "workspace_id")),
                        Rows.text(row, "slug"),
                        Rows.text(row, "name")))
                .all()
                .collectList();
    }
}
