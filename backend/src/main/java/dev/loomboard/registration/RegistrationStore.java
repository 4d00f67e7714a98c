package dev.loomboard.registration;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.machine.MachineName;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** One-time tokens with which machines register, and the machines that come of them. */
@Repository
class RegistrationStore {

    private final DatabaseClient database;

    RegistrationStore(DatabaseClient database) {
        this.database = database;
    }

    /** A token that is now used up, with what it gives its machine. */
    record Taken(
            long key, WorkspaceId workspace, String workspaceSlug, String slug, String name, Visibility visibility) {}

    /**
     * A token as its maker may see it: never the secret.
     *
     * @param machine slug of the machine that used it; null: none yet
     * @param started whether that machine's agent has said since then what the machine has
     */
    record Waiting(
            String id,
            String workspace,
            String name,
            String last4,
            Instant expiresAt,
            @Nullable String machine,
            boolean started) {}

    Mono<Void> add(
            String id,
            Secret token,
            WorkspaceId workspace,
            MachineName name,
            Visibility visibility,
            String slug,
            String by,
            Instant now,
            Instant expires) {
        return database.sql("""
                        insert into registration_token (external_id, workspace_id, token_hash, last4, machine_slug,
                                                        machine_name, visibility, created_by, created_at, expires_at)
                        values (:id, :workspace, :hash, :last4, :slug, :name, :visibility, :by, :now, :expires)
                        """)
                .bind("id", id)
                .bind("workspace", workspace.value())
                .bind("hash", token.hash())
                .bind("last4", token.last4())
                .bind("slug", slug)
                .bind("name", name.name())
                .bind("visibility", visibility.wire())
                .bind("by", by)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("expires", expires.atOffset(ZoneOffset.UTC))
                .then();
    }

    /** Uses the token up; empty when it is unknown, expired or used. Of two at once one waits here and finds it used. */
    Mono<Taken> take(Secret token, Instant now) {
        return database.sql("""
                        update registration_token t set used_at = :now
                          from workspace w
                         where w.workspace_id = t.workspace_id
                           and t.token_hash = :hash and t.used_at is null and t.expires_at > :now
                        returning t.registration_token_id, t.workspace_id, w.slug as workspace, t.machine_slug,
                                  t.machine_name, t.visibility
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("hash", token.hash())
                .map(row -> new Taken(
                        number(row, "registration_token_id"),
                        new WorkspaceId(number(row, "workspace_id")),
                        text(row, "workspace"),
                        text(row, "machine_slug"),
                        text(row, "machine_name"),
                        WireName.of(Visibility.class, text(row, "visibility"))))
                .one();
    }

    Mono<Boolean> wasUsed(Secret token) {
        return database.sql("""
                        select exists (select 1 from registration_token where token_hash = :hash and used_at is not null) as used
                        """)
                .bind("hash", token.hash())
                .map(row -> Boolean.TRUE.equals(row.get("used", Boolean.class)))
                .one();
    }

    Mono<Void> usedBy(long token, MachineId machine) {
        return database.sql("update registration_token set machine_id = :machine where registration_token_id = :token")
                .bind("machine", machine.value())
                .bind("token", token)
                .then();
    }

    Mono<Waiting> find(Caller caller, String id) {
        return VisibleSql.query(database, caller, """
                        select t.external_id, w.slug as workspace, t.machine_name, t.last4, t.expires_at, m.slug as machine,
                               m.last_seen_at is not null as started
                          from registration_token t join workspace w using (workspace_id)
                          left join machine m on m.machine_id = t.machine_id
                         where t.external_id = :id and t.workspace_id = any(:mine)
                        """)
                .bind("id", id)
                .map(row -> new Waiting(
                        text(row, "external_id"),
                        text(row, "workspace"),
                        text(row, "machine_name"),
                        text(row, "last4"),
                        instant(row, "expires_at"),
                        textOrNull(row, "machine"),
                        flag(row, "started")))
                .one();
    }

    /**
     * Adds a machine under the first free name of {@code slug}, {@code slug-2} …; to be called within a transaction. One of the
     * installation's own workspace is admitted to public ranks.
     */
    Mono<MachineId> addMachine(String id, Taken token, String slug, Secret key) {
        return database.sql("""
                        insert into machine (external_id, workspace_id, slug, name, visibility, agent_key_hash, agent_key_last4,
                                             admitted_at)
                        values (:id, :workspace, :slug, :name, :visibility, :hash, :last4, case when :own then now() end)
                        returning machine_id
                        """)
                .bind("id", id)
                .bind("workspace", token.workspace().value())
                .bind("slug", slug)
                .bind("name", token.name())
                .bind("visibility", token.visibility().wire())
                .bind("hash", key.hash())
                .bind("last4", key.last4())
                .bind("own", token.workspaceSlug().equals(WorkspaceId.OWN))
                .map(row -> new MachineId(number(row, "machine_id")))
                .one();
    }

    /** The first of {@code slug}, {@code slug-2}, … that no machine of the workspace has. */
    Mono<String> freeSlug(WorkspaceId workspace, String slug) {
        return database.sql("""
                        select candidate from (
                          select 1 as n, :slug as candidate
                          union all select n, :slug || '-' || n from generate_series(2, 1000) n) c
                         where not exists (select 1 from machine m where m.workspace_id = :workspace and m.slug = c.candidate)
                         order by n limit 1
                        """)
                .bind("slug", slug)
                .bind("workspace", workspace.value())
                .map(row -> text(row, "candidate"))
                .one();
    }
}
