package dev.loomboard.membership;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Invitations; what changes them is called within a transaction. */
@Repository
class InvitationStore {

    private static final int MOST = 200;

    /** One works while it is not revoked, used up or expired, and who made it is still an owner. */
    private static final String SELECT = """
            select i.invitation_id, i.external_id, i.workspace_id, w.slug, w.name, i.role, i.last4, a.display_name as by,
                   i.created_at, i.expires_at, i.uses, i.used,
                   case when i.revoked_at is not null then 'revoked'
                        when i.used >= i.uses then 'used up'
                        when i.expires_at <= :now then 'expired'
                        when w.deleted_at is not null or a.disabled_at is not null
                             or not exists (select from workspace_member m
                                             where m.workspace_id = i.workspace_id and m.account_id = i.created_by
                                               and m.role = 'owner') then 'its maker is no owner any more' end as over
              from invitation i join workspace w using (workspace_id) join account a on a.account_id = i.created_by
            """;

    private final DatabaseClient database;

    InvitationStore(DatabaseClient database) {
        this.database = database;
    }

    /** Those that work first, then the newest. Plan: invitation_workspace_ix. */
    Flux<Invitation> of(WorkspaceId workspace, Instant now) {
        return database.sql("select * from (" + SELECT + """
                         where i.workspace_id = :workspace) x
                         order by x.over is not null, x.invitation_id desc limit :most
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("workspace", workspace.value())
                .bind("most", MOST)
                .map(InvitationStore::invitation)
                .all();
    }

    /** One that works; empty: there is none. Plan: invitation_token_hash_uq. */
    Mono<Invitation> valid(Secret token, Instant now) {
        return database.sql(SELECT + " where i.token_hash = :hash")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("hash", token.hash())
                .map(InvitationStore::invitation)
                .one()
                .filter(invitation -> invitation.over() == null);
    }

    /** Lets one person at a time accept it, so that none is one too many. */
    Mono<Void> lock(Secret token) {
        return database.sql("select 1 from invitation where token_hash = :hash for update")
                .bind("hash", token.hash())
                .then();
    }

    /** Its external id. */
    Mono<String> add(WorkspaceId workspace, NewInvitation invitation, Secret token, Caller.Person by, Instant now) {
        String id = ExternalId.random("inv").value();
        return database.sql("""
                        insert into invitation (external_id, workspace_id, token_hash, last4, role, uses, created_by, created_at,
                                                expires_at)
                        values (:id, :workspace, :hash, :last4, :role, :uses, :account, :now, :expires)
                        """)
                .bind("id", id)
                .bind("workspace", workspace.value())
                .bind("hash", token.hash())
                .bind("last4", token.last4())
                .bind("role", invitation.role().wire())
                .bind("uses", invitation.uses())
                .bind("account", by.account().value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("expires", now.plus(invitation.life()).atOffset(ZoneOffset.UTC))
                .then()
                .thenReturn(id);
    }

    Mono<Void> use(Invitation invitation) {
        return database.sql("update invitation set used = used + 1 where invitation_id = :key")
                .bind("key", invitation.into().invitation())
                .then();
    }

    /** False: the workspace has no such invitation, or it was revoked before. */
    Mono<Boolean> revoke(WorkspaceId workspace, String id, Instant now) {
        return database.sql("""
                        update invitation set revoked_at = :now
                         where workspace_id = :workspace and external_id = :id and revoked_at is null
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("workspace", workspace.value())
                .bind("id", id)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    private static Invitation invitation(Readable row) {
        return new Invitation(
                new Invitation.Into(
                        new WorkspaceId(Rows.number(row, "workspace_id")),
                        Rows.number(row, "invitation_id"),
                        Rows.text(row, "slug"),
                        Rows.text(row, "name")),
                Rows.text(row, "external_id"),
                WireName.of(Role.class, Rows.text(row, "role")),
                Rows.text(row, "last4"),
                Rows.text(row, "by"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "expires_at"),
                Rows.whole(row, "uses"),
                Rows.whole(row, "used"),
                Rows.textOrNull(row, "over"));
    }
}
