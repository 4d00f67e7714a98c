package dev.loomboard.workspace;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Makes, changes and deletes workspaces; each method is called within a transaction. */
@Repository
class WorkspaceWriteStore {

    private final DatabaseClient database;

    WorkspaceWriteStore(DatabaseClient database) {
        this.database = database;
    }

    /** How many the person made that are not deleted. Nobody counts the same person's meanwhile. */
    Mono<Long> made(Caller.Person person) {
        return database.sql("select 1 from account where account_id = :account for no key update")
                .bind("account", person.account().value())
                .then()
                .then(database.sql("""
                                select count(*) as made from workspace where created_by = :account and deleted_at is null
                                """)
                        .bind("account", person.account().value())
                        .map(row -> Rows.number(row, "made"))
                        .one());
    }

    /** The external id; empty: the slug is taken, also if what has it was deleted. */
    Mono<Added> add(NewWorkspace workspace, Caller.Person by, Instant now) {
        return database.sql("""
                        insert into workspace (external_id, slug, name, visibility, stated_visibility, created_by, created_at)
                        values (:id, :slug, :name, :visibility, :visibility, :account, :now)
                        on conflict (slug) do nothing
                        returning workspace_id, external_id
                        """)
                .bind("id", ExternalId.random("wsp").value())
                .bind("slug", workspace.slug())
                .bind("name", workspace.name())
                .bind("visibility", workspace.visibility().wire())
                .bind("account", by.account().value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> new Added(new WorkspaceId(Rows.number(row, "workspace_id")), Rows.text(row, "external_id")))
                .one();
    }

    record Added(WorkspaceId key, String id) {}

    Mono<Void> choose(Caller.Person person, WorkspaceId workspace) {
        return database.sql("update account set chosen_workspace_id = :workspace where account_id = :account")
                .bind("workspace", workspace.value())
                .bind("account", person.account().value())
                .then();
    }

    Mono<Void> rename(WorkspaceId workspace, String name) {
        return database.sql("update workspace set name = :name where workspace_id = :workspace")
                .bind("name", name)
                .bind("workspace", workspace.value())
                .then();
    }

    Mono<Void> stateVisibility(WorkspaceId workspace, Visibility visibility) {
        return database.sql("update workspace set stated_visibility = :visibility where workspace_id = :workspace")
                .bind("visibility", visibility.wire())
                .bind("workspace", workspace.value())
                .then();
    }

    /** True while a run of it is not over. Nobody queues one until the transaction ends: that needs the workspace's row. */
    Mono<Boolean> isBusy(WorkspaceId workspace) {
        return database.sql("select 1 from workspace where workspace_id = :workspace for update")
                .bind("workspace", workspace.value())
                .then()
                .then(database.sql("""
                                select exists (select 1 from run where workspace_id = :workspace
                                                and state not in ('done', 'failed', 'cancelled')) as busy
                                """)
                        .bind("workspace", workspace.value())
                        .map(row -> Rows.flag(row, "busy"))
                        .one());
    }

    /** Ends all that acts in it or for it. Results stay where they are, unseen: the workspace is private and has no members. */
    Mono<Void> delete(WorkspaceId workspace, Instant now) {
        return database.sql("""
                        with members as (
                          delete from workspace_member where workspace_id = :workspace
                        ), choices as (
                          update account set chosen_workspace_id = null where chosen_workspace_id = :workspace
                        ), invitations as (
                          update invitation set revoked_at = :now where workspace_id = :workspace and revoked_at is null
                        ), tokens as (
                          update api_token set revoked_at = :now where workspace_id = :workspace and revoked_at is null
                        ), registrations as (
                          update registration_token set expires_at = :now
                           where workspace_id = :workspace and used_at is null and expires_at > :now
                        ), schedules as (
                          update schedule set state = 'paused', updated_at = :now
                           where workspace_id = :workspace and state <> 'paused'
                        ), machines as (
                          update machine set agent_key_hash = null, agent_key_last4 = null, agent_key_expires_at = null,
                                             previous_key_hash = null, previous_key_until = null, revoked_at = :now
                           where workspace_id = :workspace and revoked_at is null
                        )
                        update workspace set stated_visibility = 'private', deleted_at = :now where workspace_id = :workspace
                        """)
                .bind("workspace", workspace.value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .then();
    }
}
