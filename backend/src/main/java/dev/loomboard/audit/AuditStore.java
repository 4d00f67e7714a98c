package dev.loomboard.audit;

import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.postgresql.codec.Json;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Appends to the audit log, in the transaction of what it records. */
@Repository
public class AuditStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    public AuditStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    public Mono<Void> append(AuditEvent event) {
        WorkspaceId workspace = event.workspace();
        return database.sql("""
                        insert into audit_event (workspace_id, actor, action, subject, detail)
                        values (:workspace, :actor, :action, :subject, :detail)
                        """)
                .bind("workspace", Parameter.fromOrEmpty(workspace == null ? null : workspace.value(), Long.class))
                .bind("actor", event.actor())
                .bind("action", event.action())
                .bind("subject", event.subject())
                .bind("detail", Json.of(json.writeValueAsString(event.detail())))
                .then();
    }
}
