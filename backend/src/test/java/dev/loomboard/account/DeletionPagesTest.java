package dev.loomboard.account;

import static dev.loomboard.kit.Browser.document;
import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.WebTest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.transaction.reactive.TransactionalOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class DeletionPagesTest extends WebTest {

    private final String email = People.person();
    private final String slug = ExternalId.random("wsp").value().substring(4);
    private final Browser browser = new Browser(client, "203.0.113.60");

    @BeforeEach
    void signIn() {
        browser.signIn(email, People.PASSWORD);
    }

    @Test
    void export_holds_what_names_the_person_and_no_secret() {
        workspace();
        execute("insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes, created_by)"
                + " select new_external_id('tok'), w.workspace_id, 'of the nights', sha256('" + slug
                + "'), 'none', '{read}', a.account_id from workspace w, account a where w.slug = '" + slug
                + "' and a.email = '" + email + "'");
        EntityExchangeResult<byte[]> answer = browser.answer("/account/export.json");
        assertThat(answer.getResponseHeaders().getCacheControl()).isEqualTo("no-store");
        String text = new String(Objects.requireNonNull(answer.getResponseBody()), StandardCharsets.UTF_8);
        JsonNode export = JsonMapper.builder().build().readTree(text);
        assertThat(export.get("schema").asString()).isEqualTo("loomboard.account-export/1");
        assertThat(export.at("/account/email").asString()).isEqualTo(email);
        assertThat(export.at("/workspaces/0/workspace").asString()).isEqualTo(slug);
        assertThat(export.at("/workspaces/0/role").asString()).isEqualTo("owner");
        assertThat(export.at("/sessions/0/address").asString()).isEqualTo("203.0.113.60");
        assertThat(export.at("/tokens/0/name").asString()).isEqualTo("of the nights");
        assertThat(export.at("/audit/0/action").asString()).isEqualTo("account.sign-in");
        for (String list : new String[] {"runs", "schedules", "notes", "triage", "bisections", "retractions"}) {
            assertThat(export.get(list).isArray()).as(list).isTrue();
        }
        assertThat(text).doesNotContainIgnoringCase("hash").doesNotContain("argon2", "stranger@example.org");
    }

    @Test
    void only_owner_of_a_workspace_is_told_what_to_do_first() {
        workspace();
        assertThat(browser.get("/account/delete").select(".notice").text())
                .contains("the only owner of the workspace “Of " + slug + "”", "Make somebody else an owner");
        Map<String, String> stale = Map.of(
                "password",
                People.PASSWORD,
                "_csrf",
                browser.get("/account").select("input[name=_csrf]").attr("value"));
        assertThat(browser.send("/account/delete", "/account/delete", stale)
                        .getStatus()
                        .value())
                .isEqualTo(409);
        assertThat(browser.status("/account")).isEqualTo(200);

        member(People.person(), "member");
        assertThat(browser.get("/account/delete").select(".notice")).isNotEmpty();
        member(People.person(), "owner");
        assertThat(browser.get("/account/delete").select(".notice")).isEmpty();
        assertThat(location(delete(People.PASSWORD))).isEqualTo("/sign-in?after=deletion&next=%2F");
    }

    @Test
    void only_administrator_stays() {
        assertThat(isOnlyAdministrator("administrator = (email = '" + email + "')"))
                .isTrue();
        assertThat(isOnlyAdministrator("administrator = true")).isFalse();
        assertThat(isOnlyAdministrator("administrator = false")).isFalse();
    }

    /** With administrators as {@code set} makes them, which is undone. */
    private boolean isOnlyAdministrator(String set) {
        AccountDeletionStore deletions = service.bean(AccountDeletionStore.class);
        long account = number("select account_id from account where email = '" + email + "'");
        Caller.Person person = new Caller.Person(new AccountId(account), id(), "Somebody", true, Map.of());
        return await(service.bean(TransactionalOperator.class)
                .execute(status -> {
                    status.setRollbackOnly();
                    return database.sql("update account set " + set).then().then(deletions.onlyAdministrator(person));
                })
                .single());
    }

    @Test
    void deleted_person_is_nowhere_and_what_others_see_stays() {
        String id = id();
        Browser guesser = new Browser(client, "203.0.113.61");
        guesser.signIn(email, "wrong");
        execute("insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes, created_by)"
                + " select new_external_id('tok'), w.workspace_id, 'n', sha256('" + slug
                + "d'), 'none', '{read}', a.account_id from workspace w, account a where w.slug = 'main' and a.email = '"
                + email + "'");
        EntityExchangeResult<byte[]> wrong = delete("wrong");
        assertThat(wrong.getStatus().value()).isEqualTo(422);
        assertThat(document(wrong).select("#password-problem").text()).isEqualTo("is wrong");

        assertThat(location(delete(People.PASSWORD))).isEqualTo("/sign-in?after=deletion&next=%2F");
        assertThat(browser.status("/account")).isEqualTo(303);
        assertThat(browser.signIn(email, People.PASSWORD).getStatus().value()).isEqualTo(422);
        assertThat(number("select count(*) from account where external_id = '" + id
                        + "' and display_name = 'Deleted account' and email = '" + id
                        + "@deleted.invalid' and disabled_at is not null and password_hash = 'none'"))
                .isEqualTo(1);
        for (String table : new String[] {"session", "workspace_member", "account_link", "account_totp"}) {
            assertThat(number("select count(*) from " + table
                            + " t join account a using (account_id) where a.external_id = '" + id + "'"))
                    .as(table)
                    .isZero();
        }
        assertThat(number("select count(*) from api_token t join account a on a.account_id = t.created_by"
                        + " where a.external_id = '" + id + "'"))
                .isZero();
        assertThat(number("select count(*) from audit_event where '" + id + "' in (actor, subject)"))
                .as("the log keeps what was done")
                .isGreaterThanOrEqualTo(3);
        assertThat(number("select count(*) from audit_event where subject = '" + id
                        + "' and detail ->> 'address' is not null"))
                .isZero();
        assertThat(number("select count(*) from audit_event where audit_event::text like '%" + email + "%'"))
                .isZero();
    }

    private EntityExchangeResult<byte[]> delete(String password) {
        return browser.send("/account/delete", "/account/delete", Map.of("password", password));
    }

    private void workspace() {
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), '" + slug + "', 'Of "
                + slug + "')");
        member(email, "owner");
    }

    private void member(String address, String role) {
        execute("insert into workspace_member (workspace_id, account_id, role) select workspace_id, account_id, '"
                + role + "' from workspace, account where slug = '" + slug + "' and email = '" + address + "'");
    }

    private String id() {
        return await(database.sql("select external_id from account where email = :email")
                .bind("email", email)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }
}
