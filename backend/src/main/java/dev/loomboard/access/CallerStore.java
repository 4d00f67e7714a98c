package dev.loomboard.access;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Caller.TokenScope;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Membership;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Finds out who a secret belongs to. Each query probes a unique index on the secret's hash, of an agent's key two. */
@Repository
class CallerStore {

    private final DatabaseClient database;

    CallerStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param seenAt last noted use of the session */
    record SignedIn(Caller.Person person, Instant seenAt) {}

    /** By the machine's key, or for a while by the one that it replaced. */
    Mono<Caller.Agent> agent(Secret key, Instant now) {
        return database.sql("""
                        select machine_id, external_id, workspace_id
                          from machine
                         where agent_key_hash = :hash and revoked_at is null
                           and (agent_key_expires_at is null or agent_key_expires_at > :now)
                        union all
                        select machine_id, external_id, workspace_id
                          from machine
                         where previous_key_hash = :hash and revoked_at is null and previous_key_until > :now
                         limit 1
                        """)
                .bind("hash", key.hash())
                .bind("now", utc(now))
                .map(row -> new Caller.Agent(
                        new MachineId(Rows.number(row, "machine_id")),
                        Rows.text(row, "external_id"),
                        new WorkspaceId(Rows.number(row, "workspace_id"))))
                .one();
    }

    /** Good while its maker, if a person made it, owns the workspace. Notes the use as well, at most once a minute. */
    Mono<Caller.Token> token(Secret token, Instant now) {
        return database.sql("""
                        with found as (
                          select t.api_token_id, t.external_id, t.workspace_id, t.scopes
                            from api_token t
                           where t.token_hash = :hash
                             and t.revoked_at is null and (t.expires_at is null or t.expires_at > :now)
                             and (t.created_by is null
                                  or exists (select 1 from workspace_member m join account a using (account_id)
                                              where m.workspace_id = t.workspace_id and m.account_id = t.created_by
                                                and m.role = 'owner' and a.disabled_at is null))
                        ), used as (
                          update api_token t set last_used_at = :now
                            from found f
                           where t.api_token_id = f.api_token_id
                             and (t.last_used_at is null or t.last_used_at < :now - interval '1 minute')
                        )
                        select external_id, workspace_id, scopes from found
                        """)
                .bind("hash", token.hash())
                .bind("now", utc(now))
                .map(row -> new Caller.Token(
                        Rows.text(row, "external_id"),
                        new WorkspaceId(Rows.number(row, "workspace_id")),
                        Rows.texts(row, "scopes").stream()
                                .map(scope -> WireName.of(TokenScope.class, scope))
                                .collect(Collectors.toSet())))
                .one();
    }

    /** @param unusedSince a session without use since then has ended */
    Mono<SignedIn> session(Secret session, Instant now, Instant unusedSince) {
        return database.sql("""
                        select a.account_id, a.external_id, a.display_name, a.administrator, s.last_seen_at,
                               o.workspaces, o.slugs, o.names, o.roles
                          from session s join account a using (account_id)
                          cross join lateral (
                            select coalesce(array_agg(x.workspace_id), '{}') as workspaces,
                                   coalesce(array_agg(x.slug), '{}') as slugs, coalesce(array_agg(x.name), '{}') as names,
                                   coalesce(array_agg(x.role), '{}') as roles
                              from (select w.workspace_id, w.slug, w.name, m.role
                                      from workspace_member m join workspace w using (workspace_id)
                                     where m.account_id = a.account_id
                                     order by w.workspace_id is distinct from a.chosen_workspace_id, w.slug) x) o
                         where s.token_hash = :hash and s.expires_at > :now and s.last_seen_at > :unused
                           and a.disabled_at is null
                        """)
                .bind("hash", session.hash())
                .bind("now", utc(now))
                .bind("unused", utc(unusedSince))
                .map(CallerStore::signedIn)
                .one();
    }

    private static SignedIn signedIn(Readable row) {
        Long[] workspaces = Objects.requireNonNull(row.get("workspaces", Long[].class));
        List<String> slugs = Rows.texts(row, "slugs");
        List<String> names = Rows.texts(row, "names");
        List<String> roles = Rows.texts(row, "roles");
        List<Membership> memberships = new ArrayList<>();
        for (int i = 0; i < workspaces.length; i++) {
            memberships.add(new Membership(
                    new WorkspaceId(workspaces[i]), slugs.get(i), names.get(i), WireName.of(Role.class, roles.get(i))));
        }
        Caller.Person person = new Caller.Person(
                new AccountId(Rows.number(row, "account_id")),
                Rows.text(row, "external_id"),
                Rows.text(row, "display_name"),
                Rows.flag(row, "administrator"),
                memberships);
        return new SignedIn(person, Rows.instant(row, "last_seen_at"));
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
