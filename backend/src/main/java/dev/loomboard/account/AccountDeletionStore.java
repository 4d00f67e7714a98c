package dev.loomboard.account;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Rows;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Takes a person out of the tables. What changes them is called within a transaction. */
@Repository
class AccountDeletionStore {

    /** What only the person needs; the codes go with their secret. */
    private static final List<String> REMOVED = List.of(
            "delete from session where account_id = :account",
            "delete from account_link where account_id = :account",
            "delete from account_totp where account_id = :account",
            "delete from openid_identity where account_id = :account",
            "delete from openid_visit where account_id = :account",
            "delete from api_token where created_by = :account",
            "delete from workspace_member where account_id = :account",
            "delete from mail_choice where account_id = :account",
            "update change_point set triage_owner_id = null where triage_owner_id = :account");

    private final DatabaseClient database;

    AccountDeletionStore(DatabaseClient database) {
        this.database = database;
    }

    /** Names of the workspaces that would be left without an owner. They are locked: of two last owners only one may go. */
    Mono<List<String>> onlyOwned(Caller.Person person) {
        return database.sql("""
                        select w.name from workspace w join workspace_member m using (workspace_id)
                         where m.account_id = :account and m.role = 'owner'
                         order by w.workspace_id
                           for update of w
                        """)
                .bind("account", person.account().value())
                .then()
                .thenMany(database.sql("""
                        select w.name from workspace w join workspace_member m using (workspace_id)
                         where m.account_id = :account and m.role = 'owner'
                           and not exists (select 1 from workspace_member o join account a using (account_id)
                                            where o.workspace_id = m.workspace_id and o.role = 'owner'
                                              and o.account_id <> m.account_id and a.disabled_at is null)
                         order by w.name limit 100
                        """)
                        .bind("account", person.account().value())
                        .map(row -> Rows.text(row, "name"))
                        .all())
                .collectList();
    }

    /** True when nobody else could administer the installation. */
    Mono<Boolean> onlyAdministrator(Caller.Person person) {
        return database.sql("""
                        select administrator and not exists (
                                 select 1 from account o where o.administrator and o.disabled_at is null
                                                           and o.account_id <> a.account_id) as only
                          from account a where account_id = :account
                        """)
                .bind("account", person.account().value())
                .map(row -> Rows.flag(row, "only"))
                .one();
    }

    /**
     * The row stays, without the person: what others see (runs, notes, triage, retractions) points to it, and the audit log
     * names its id, which then stands for nobody who can be found.
     */
    Mono<Void> forget(Caller.Person person, Instant now) {
        long account = person.account().value();
        return Flux.fromIterable(REMOVED)
                .concatMap(sql -> database.sql(sql).bind("account", account).then())
                .then(byId("delete from registration_token where created_by = :id and used_at is null", person))
                .then(byId(
                        "update audit_event set detail = detail - 'address'"
                                + " where subject = :id and action = 'account.sign-in-failed'",
                        person))
                .then(byId(
                        "delete from sign_up where email = (select email from account where external_id = :id)",
                        person))
                .then(database.sql("""
                                update account set email = external_id || '@deleted.invalid', display_name = 'Deleted account',
                                       password_hash = 'none', administrator = false, email_verified_at = null,
                                       disabled_at = :now
                                 where account_id = :account
                                """)
                        .bindValues(Map.of("account", account, "now", now.atOffset(ZoneOffset.UTC)))
                        .then());
    }

    private Mono<Void> byId(String sql, Caller.Person person) {
        return database.sql(sql).bind("id", person.id()).then();
    }
}
