package dev.loomboard.audit;

import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads the audit log, the newest first, a bounded number of rows at a time. Who may is asked before. */
@Repository
public class AuditReadStore {

    private static final TypeReference<java.util.Map<String, String>> TEXTS = new TypeReference<>() {};

    private final DatabaseClient database;
    private final JsonMapper json;

    AuditReadStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * Plan: backwards along audit_event_workspace_ix, audit_event_actor_ix, audit_event_action_ix or the primary key, until
     * enough are found.
     *
     * @param workspace null: all of the installation
     */
    public Mono<List<AuditEntry>> list(@Nullable WorkspaceId workspace, AuditFilter filter, int most) {
        return database.sql("""
                        select e.audit_event_id, e.at, w.slug as workspace, e.actor, e.action, e.subject, e.detail,
                               coalesce((select a.display_name from account a where a.external_id = e.actor),
                                        (select m.name from machine m where m.external_id = e.actor),
                                        (select t.name from api_token t where t.external_id = e.actor)) as name
                          from audit_event e left join workspace w using (workspace_id)
                         where e.audit_event_id < :before
                           and (:workspace::bigint is null or e.workspace_id = :workspace)
                           and (:actor = '' or e.actor = :actor
                                or e.actor in (select a.external_id from account a where a.display_name = :actor))
                           and (:action = '' or e.action = :action or starts_with(e.action, :action || '.'))
                           and (:from::timestamptz is null or e.at >= :from)
                           and (:until::timestamptz is null or e.at < :until)
                         order by e.audit_event_id desc limit :most
                        """)
                .bind("before", filter.before())
                .bind("workspace", Parameter.fromOrEmpty(workspace == null ? null : workspace.value(), Long.class))
                .bind("actor", filter.actor())
                .bind("action", filter.action())
                .bind("from", time(filter.from()))
                .bind("until", time(filter.until()))
                .bind("most", most)
                .map(this::entry)
                .all()
                .collectList();
    }

    private static Parameter time(@Nullable Instant at) {
        return Parameter.fromOrEmpty(at == null ? null : at.atOffset(ZoneOffset.UTC), OffsetDateTime.class);
    }

    private AuditEntry entry(Readable row) {
        return new AuditEntry(
                Rows.number(row, "audit_event_id"),
                Rows.instant(row, "at"),
                Rows.textOrNull(row, "workspace"),
                Rows.text(row, "actor"),
                Rows.textOrNull(row, "name"),
                Rows.text(row, "action"),
                Rows.text(row, "subject"),
                json.readValue(Rows.json(row, "detail"), TEXTS));
    }
}
