package dev.loomboard.token;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Caller.TokenScope;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** The rows of API tokens that people make. What changes them is called within a transaction. */
@Repository
class ApiTokenStore {

    private final DatabaseClient database;

    ApiTokenStore(DatabaseClient database) {
        this.database = database;
    }

    /** Those a person made, and all of workspaces whose tokens are the person's to revoke: the good ones first, then the newest. */
    Mono<List<ApiToken>> of(Caller.Person person, Instant now) {
        return database.sql("""
                        select t.external_id, t.name, w.slug as workspace, a.display_name as by, t.scopes, t.last4,
                               t.created_at, t.expires_at, t.revoked_at, t.last_used_at
                          from api_token t
                          join workspace w using (workspace_id)
                          left join account a on a.account_id = t.created_by
                         where t.created_by = :account or t.workspace_id = any(:owned)
                         order by (t.revoked_at is null and (t.expires_at is null or t.expires_at > :now)) desc,
                                  t.api_token_id desc
                         limit 200
                        """)
                .bind("account", person.account().value())
                .bind("owned", owned(person))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> new ApiToken(
                        Rows.text(row, "external_id"),
                        Rows.text(row, "name"),
                        Rows.text(row, "workspace"),
                        Rows.textOrNull(row, "by"),
                        scopes(Rows.texts(row, "scopes")),
                        Rows.text(row, "last4"),
                        Rows.instant(row, "created_at"),
                        Rows.instantOrNull(row, "expires_at"),
                        Rows.instantOrNull(row, "revoked_at"),
                        Rows.instantOrNull(row, "last_used_at")))
                .all()
                .collectList();
    }

    /** The token's external id. */
    Mono<String> add(NewApiToken token, Secret secret, Caller.Person person, Instant now) {
        String id = ExternalId.random("tok").value();
        return database.sql("""
                        insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes, created_by,
                                               created_at, expires_at)
                        values (:id, :workspace, :name, :hash, :last4, :scopes, :account, :now, :expires)
                        """)
                .bind("id", id)
                .bind("workspace", token.workspace().key().value())
                .bind("name", token.name())
                .bind("hash", secret.hash())
                .bind("last4", secret.last4())
                .bind("scopes", wire(token.scopes()))
                .bind("account", person.account().value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("expires", now.plus(token.life()).atOffset(ZoneOffset.UTC))
                .then()
                .thenReturn(id);
    }

    /** The workspace of the token that was revoked; none: the person has no such token, or it was revoked before. */
    Mono<WorkspaceId> revoke(String id, Caller.Person person, Instant now) {
        return database.sql("""
                        update api_token set revoked_at = :now
                         where external_id = :id and revoked_at is null and created_by is not null
                           and (created_by = :account or workspace_id = any(:owned))
                        returning workspace_id
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("id", id)
                .bind("account", person.account().value())
                .bind("owned", owned(person))
                .map(row -> new WorkspaceId(Rows.number(row, "workspace_id")))
                .one();
    }

    private static Long[] owned(Caller.Person person) {
        return person.where(Right.TOKENS).stream().map(WorkspaceId::value).toArray(Long[]::new);
    }

    private static List<TokenScope> scopes(List<String> stored) {
        return stored.stream()
                .map(scope -> WireName.of(TokenScope.class, scope))
                .toList();
    }

    private static String[] wire(Set<TokenScope> scopes) {
        return scopes.stream().map(TokenScope::wire).sorted().toArray(String[]::new);
    }
}
