package dev.loomboard.kit;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * The callers that every route is tried as: an owner, a member and a viewer of the default workspace, a stranger who owns
 * another, an administrator of neither, agents of both, and tokens of the default workspace: the operator's and one per scope.
 * Put into the shared service's database.
 */
public final class Cast {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Kind of caller; each test request is made as one of them. */
    public enum Role {
        ANONYMOUS,
        VIEWER,
        MEMBER,
        OWNER,
        STRANGER,
        /** One only while {@link Cast#administers} says so: another test makes the first administrator. */
        ADMINISTRATOR,
        AGENT,
        OTHER_AGENT,
        TOKEN,
        READ_TOKEN,
        RUN_TOKEN,
        REGISTER_TOKEN,
        SCHEDULE_TOKEN,
        ADMIN_TOKEN
    }

    /** A private workspace, to which the member and the viewer belong, and nobody else of the cast. */
    public static final String CLOSED = "cast-closed";

    public static final String PASSWORD = "a long enough password";
    public static final String OWNER_EMAIL = "owner@example.org";
    public static final String STRANGER_EMAIL = "stranger@example.org";

    private final DatabaseClient database;
    private final long viewer;
    private final long member;
    private final long owner;
    private final long stranger;
    private final long administrator;
    private final Secret agentKey = Secret.random("lba");
    private final Secret otherAgentKey = Secret.random("lba");
    private final Map<Role, Secret> tokens = new EnumMap<>(Role.class);
    private final String machine = ExternalId.random("mac").value();

    private Cast(DatabaseClient database) {
        this.database = database;
        execute(
                "insert into workspace (external_id, slug, name) values (new_external_id('wsp'), 'elsewhere', 'Elsewhere')");
        execute("insert into workspace (external_id, slug, name, visibility, stated_visibility)"
                + " values (new_external_id('wsp'), '" + CLOSED + "', 'Closed', 'private', 'private')");
        owner = account(OWNER_EMAIL, "Owner", "main", "owner");
        member = account("member@example.org", "Member", "main", "member");
        viewer = account("viewer@example.org", "Viewer", "main", "viewer");
        stranger = account(STRANGER_EMAIL, "Stranger", "elsewhere", "owner");
        administrator = account("administrator@example.org", "Administrator", "none", "owner");
        belongs(member, CLOSED, "member");
        belongs(viewer, CLOSED, "viewer");
        choose(member);
        choose(viewer);
        token(Role.READ_TOKEN, "read");
        token(Role.RUN_TOKEN, "read,run:write");
        token(Role.REGISTER_TOKEN, "read,machine:register");
        token(Role.SCHEDULE_TOKEN, "read,schedule:write");
        token(Role.ADMIN_TOKEN, "read,admin");
        complete(database.sql("""
                        insert into machine (external_id, workspace_id, slug, name, visibility, agent_key_hash, agent_key_last4)
                        select :id, workspace_id, 'other-machine', 'Another''s machine', 'private', :hash, :last4
                          from workspace where slug = 'elsewhere'
                        """)
                .bind("id", ExternalId.random("mac").value())
                .bind("hash", otherAgentKey.hash())
                .bind("last4", otherAgentKey.last4()));
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
                 where x.slug = 'starter' and m.slug = 'cast-machine'
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

    public Secret memberSession() {
        return session(member);
    }

    public Secret viewerSession() {
        return session(viewer);
    }

    public Secret administratorSession() {
        return session(administrator);
    }

    public Secret otherAgentKey() {
        return otherAgentKey;
    }

    /** @param role one of the tokens with a scope */
    public Secret token(Role role) {
        return Objects.requireNonNull(tokens.get(role), "no token is " + role);
    }

    /** Whether the administrator is one. */
    public void administers(boolean does) {
        execute("update account set administrator = " + does + " where account_id = " + administrator);
    }

    private void belongs(long account, String workspace, String role) {
        execute("insert into workspace_member (workspace_id, account_id, role) select workspace_id, " + account + ", '"
                + role + "' from workspace where slug = '" + workspace + "'");
    }

    /** The default workspace, which is not the first by its slug. */
    private void choose(long account) {
        execute("update account set chosen_workspace_id = (select workspace_id from workspace where slug = 'main')"
                + " where account_id = " + account);
    }

    private void token(Role role, String scopes) {
        Secret token = Secret.random("lbt");
        tokens.put(role, token);
        complete(database.sql("""
                        insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes, created_by)
                        select :id, workspace_id, :name, :hash, :last4, string_to_array(:scopes, ','), :owner
                          from workspace where slug = 'main'
                        """)
                .bind("id", ExternalId.random("tok").value())
                .bind("name", "cast: " + scopes)
                .bind("hash", token.hash())
                .bind("last4", token.last4())
                .bind("scopes", scopes)
                .bind("owner", owner));
    }

    /** @param workspace slug of the one it belongs to; one that is not there: none */
    private long account(String email, String name, String workspace, String role) {
        Long id = database.sql("""
                        with a as (
                          insert into account (external_id, email, display_name, password_hash)
                          values (:id, :email, :name, 'none: signs in by a planted session') returning account_id
                        ), m as (
                          insert into workspace_member (workspace_id, account_id, role)
                          select w.workspace_id, a.account_id, :role from a, workspace w where w.slug = :workspace
                        ) select account_id from a
                        """)
                .bind("id", ExternalId.random("acc").value())
                .bind("email", email)
                .bind("name", name)
                .bind("workspace", workspace)
                .bind("role", role)
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
