package dev.loomboard.membership;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Who belongs to which workspace. What changes it is called within a transaction. */
@Repository
public class MemberStore {

    private static final int MOST = 500;

    private final DatabaseClient database;

    MemberStore(DatabaseClient database) {
        this.database = database;
    }

    /** Owners first, then by name. Plan: workspace_member_pk. */
    public Flux<Member> of(WorkspaceId workspace) {
        return database.sql("""
                        select a.external_id, a.display_name, m.role, m.created_at
                          from workspace_member m join account a using (account_id)
                         where m.workspace_id = :workspace
                         order by array_position('{owner,member,viewer}'::text[], m.role), a.display_name, a.account_id limit :most
                        """)
                .bind("workspace", workspace.value())
                .bind("most", MOST)
                .map(row -> new Member(
                        Rows.text(row, "external_id"),
                        Rows.text(row, "display_name"),
                        WireName.of(Role.class, Rows.text(row, "role")),
                        Rows.instant(row, "created_at")))
                .all();
    }

    /** Lets one change of a workspace's members at a time through, so that the last owner is seen to be the last. */
    Mono<Void> lock(WorkspaceId workspace) {
        return database.sql("select 1 from workspace where workspace_id = :workspace for no key update")
                .bind("workspace", workspace.value())
                .then();
    }

    /**
     * The role of a member; empty: there is no such.
     *
     * @param account external id
     */
    Mono<Role> role(WorkspaceId workspace, String account) {
        return database.sql("""
                        select m.role from workspace_member m join account a using (account_id)
                         where m.workspace_id = :workspace and a.external_id = :account
                        """)
                .bind("workspace", workspace.value())
                .bind("account", account)
                .map(row -> WireName.of(Role.class, Rows.text(row, "role")))
                .one();
    }

    /** Owners who can sign in. */
    Mono<Long> owners(WorkspaceId workspace) {
        return database.sql("""
                        select count(*) as owners from workspace_member m join account a using (account_id)
                         where m.workspace_id = :workspace and m.role = 'owner' and a.disabled_at is null
                        """)
                .bind("workspace", workspace.value())
                .map(row -> Rows.number(row, "owners"))
                .one();
    }

    /** False: the account belonged to it already, and stays what it was. */
    public Mono<Boolean> add(WorkspaceId workspace, AccountId account, Role role) {
        return database.sql("""
                        insert into workspace_member (workspace_id, account_id, role) values (:workspace, :account, :role)
                        on conflict do nothing
                        """)
                .bind("workspace", workspace.value())
                .bind("account", account.value())
                .bind("role", role.wire())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    Mono<Void> change(WorkspaceId workspace, String account, Role role) {
        return database.sql("""
                        update workspace_member m set role = :role from account a
                         where a.account_id = m.account_id and m.workspace_id = :workspace and a.external_id = :account
                        """)
                .bind("role", role.wire())
                .bind("workspace", workspace.value())
                .bind("account", account)
                .then();
    }

    Mono<Void> remove(WorkspaceId workspace, String account) {
        return database.sql("""
                        delete from workspace_member m using account a
                         where a.account_id = m.account_id and m.workspace_id = :workspace and a.external_id = :account
                        """)
                .bind("workspace", workspace.value())
                .bind("account", account)
                .then();
    }
}
