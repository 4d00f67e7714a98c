package dev.loomboard.kit;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import java.time.Duration;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * The callers that every route is tried as: an owner of the default workspace, a stranger who owns another, the agent
 * of a machine in the default workspace, and the operator's token. Put into the shared service's database.
 */
public final class Cast {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Kind of caller; each test request is made as one of them. */
    public enum Role {
        ANONYMOUS,
        OWNER,
        STRANGER,
        AGENT,
        TOKEN
    }

    public static final String PASSWORD = "a long enough password";
    public static final String OWNER_EMAIL = "owner@example.org";
    public static final String STRANGER_EMAIL = "stranger@example.org";

    private final DatabaseClient database;
    private final long owner;
    private final long stranger;
    private final Secret agentKey = Secret.random("lba");
    private final String machine = ExternalId.random("mac").value();

    private Cast(DatabaseClient database) {
        this.database = database;
        execute(
                "insert into workspace (external_id, slug, name) values (new_external_id('wsp'), 'elsewhere', 'Elsewhere')");
        owner = account(OWNER_EMAIL, "Owner", "main");
        stranger = account(STRANGER_EMAIL, "Stranger", "elsewhere");
        complete(database.sql("""
                        insert into machine (external_id, workspace_id, slug, name, visibility, agent_key_hash, agent_key_last4)
                        select :id, workspace_id, 'cast-machine', 'The cast''s machine', 'private', :hash, :last4
                          from workspace where slug = 'main'
                        """)
                .bind("id", machine)
                .bind("hash", agentKey.hash())
                .bind("last4", agentKey.last4()));
        execute("""
                insert into schedule (external_id, workspace_id, slug, title, matrix_id, machine_id, cron, zone, jdk_selectors)
                select new_external_id('sch'), m.workspace_id, 'cast-schedule', 'The cast''s schedule', x.matrix_id,
                       m.machine_id, '0 0 2 * * ?', 'UTC', '{}'
                  from matrix x join machine m using (workspace_id)
                 where x.slug = 'quick' and m.slug = 'cast-machine'
                """);
    }

    private static final class Shared {
        static final Cast INSTANCE = new Cast(Service.shared().bean(DatabaseClient.class));
    }

    public static Cast shared() {
        return Shared.INSTANCE;
    }

    public Secret agentKey() {
        return agentKey;
    }

    /**
     * External id of the agent's (private) machine, in the owner's workspace; its slug is cast-machine. There is a
     * schedule for it, cast-schedule, which is therefore private too.
     */
    public String machine() {
        return machine;
    }

    /** A new session of the owner: the value of the cookie. */
    public Secret ownerSession() {
        return session(owner);
    }

    public Secret strangerSession() {
        return session(stranger);
    }

    private long account(String email, String name, String workspace) {
        Long id = database.sql("""
                        with a as (
                          insert into account (external_id, email, display_name, password_hash)
                          values (:id, :email, :name, 'none: signs in by a planted session') returning account_id
                        ), m as (
                          insert into workspace_member (workspace_id, account_id, role)
                          select w.workspace_id, a.account_id, 'owner' from a, workspace w where w.slug = :workspace
                        ) select account_id from a
                        """)
                .bind("id", ExternalId.random("acc").value())
                .bind("email", email)
                .bind("name", name)
                .bind("workspace", workspace)
                .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                .one()
                .block(TIMEOUT);
        return Objects.requireNonNull(id);
    }

    private Secret session(long account) {
        Secret session = Secret.random("lbs");
        complete(database.sql("""
                        insert into session (token_hash, account_id, expires_at)
                        values (:hash, :account, now() + interval '1 hour')
                        """).bind("hash", session.hash()).bind("account", account));
        return session;
    }

    private void execute(String sql) {
        complete(database.sql(sql));
    }

    private static void complete(DatabaseClient.GenericExecuteSpec spec) {
        spec.then().block(TIMEOUT);
    }
}
