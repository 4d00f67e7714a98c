package dev.loomboard.openid;

import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.ScriptedProvider;
import dev.loomboard.kit.ScriptedProvider.Says;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** Accounts that are linked with the provider, and those that have no password. */
final class OpenIdAccountPagesTest extends ProviderTrips {

    private final Browser browser = new Browser(client, "203.0.113.80");
    private final Browser elsewhere = new Browser(client, "203.0.113.81");

    @Test
    void account_is_linked_by_its_password_and_unlinked_again() {
        String own = People.person();
        browser.signIn(own, People.PASSWORD);
        assertThat(browser.get("/account").select("#openid").text())
                .contains("not linked with " + ScriptedProvider.NAME);
        EntityExchangeResult<byte[]> wrong =
                browser.send("/account/openid", "/account/openid", Map.of("password", "wrong"));
        assertThat(wrong.getStatus().value()).isEqualTo(422);
        assertThat(Browser.document(wrong).select("#password-problem").text()).isEqualTo("is wrong");
        assertThat(audited(own, "account.link-identity-failed")).isEqualTo(1);

        assertThat(location(link(browser, People.PASSWORD, somebody()))).isEqualTo("/account/openid?changed=linked");
        assertThat(location(signIn(elsewhere, somebody()))).isEqualTo("/");
        assertThat(elsewhere.get("/account").text())
                .as("by link, not by address")
                .contains(own);
        assertThat(accounts(email)).isZero();

        assertThat(unlink("wrong").getStatus().value()).isEqualTo(422);
        assertThat(location(unlink(People.PASSWORD))).isEqualTo("/account/openid?changed=unlinked");
        assertThat(audited(own, "account.unlink-identity")).isEqualTo(1);
        assertThat(location(signIn(new Browser(client, "203.0.113.82"), somebody())))
                .as("an account of its own")
                .isEqualTo("/");
        assertThat(accounts(email)).isEqualTo(1);
    }

    @Test
    void identity_is_one_accounts_and_an_account_has_one() {
        signIn(elsewhere, somebody());
        browser.signIn(People.person(), People.PASSWORD);
        assertSays(link(browser, People.PASSWORD, somebody()), 409, "linked with another account here");
        Says other = provider.person(subject + "-other", People.email());
        assertThat(location(link(browser, People.PASSWORD, other))).isEqualTo("/account/openid?changed=linked");
        assertThat(elsewhere.get("/account").text()).contains(email);
    }

    @Test
    void link_ends_in_the_account_that_began_it_or_nowhere() {
        String own = People.person();
        browser.signIn(own, People.PASSWORD);
        EntityExchangeResult<byte[]> page =
                browser.send("/account/openid", "/account/openid", Map.of("password", People.PASSWORD));
        String to = Objects.requireNonNull(Browser.document(page).selectFirst("main a.button"))
                .attr("href");
        String other = People.person();
        browser.signIn(other, People.PASSWORD);
        assertSays(browser.answer(provider.agree(URI.create(to), somebody())), 403, "no longer signed in");
        assertThat(identities(own) + identities(other)).isZero();
    }

    @Test
    void only_way_in_stays_until_there_is_a_password() {
        signIn(browser, somebody());
        assertThat(browser.get("/account/openid").text()).contains("the only way into it");
        assertThat(browser.get("/account/openid").select("main form")).isEmpty();
        Map<String, String> forged = Map.of("password", "", "_csrf", token());
        assertThat(browser.send("/account/openid/unlink", "/account", forged)
                        .getStatus()
                        .value())
                .isEqualTo(422);
        prove(browser, "/account", askedAnew());
        assertThat(location(browser.send("/account/openid/unlink", "/account", Map.of("_csrf", token()))))
                .isEqualTo("/account/openid");
        assertThat(identities(email)).isEqualTo(1);

        Map<String, String> password = Map.of("password", People.PASSWORD, "repeated", People.PASSWORD);
        assertThat(location(browser.send("/account/password", "/account", password)))
                .isEqualTo("/account?changed=password");
        assertThat(location(unlink(People.PASSWORD))).isEqualTo("/account/openid?changed=unlinked");
        assertThat(location(elsewhere.signIn(email, People.PASSWORD))).isEqualTo("/");
    }

    @Test
    void person_without_a_password_is_asked_by_the_provider_anew() {
        signIn(browser, somebody());
        assertThat(browser.get("/account/delete").select("main form button")).isEmpty();
        assertThat(delete(browser).getStatus().value()).isEqualTo(422);

        URI leaving = leave(browser, "/account/openid/prove?next=/account/delete");
        assertThat(ScriptedProvider.query(leaving.getRawQuery()))
                .containsEntry("prompt", "login")
                .containsEntry("max_age", "0");
        assertSays(browser.answer(provider.agree(leaving, somebody())), 403, "did not ask for a new sign-in");
        Says asleep = provider.says(Map.of("sub", subject, "auth_time", System.currentTimeMillis() / 1000 - 3600));
        assertSays(prove(browser, "/account/delete", asleep), 403, "did not ask for a new sign-in");
        Says other = provider.says(Map.of("sub", "other", "auth_time", System.currentTimeMillis() / 1000));
        assertSays(prove(browser, "/account/delete", other), 403, "This is another person");
        assertThat(delete(browser).getStatus().value()).isEqualTo(422);

        signIn(elsewhere, somebody());
        assertThat(location(prove(browser, "/account/delete", askedAnew()))).isEqualTo("/account/delete");
        assertThat(delete(elsewhere).getStatus().value())
                .as("in that session alone")
                .isEqualTo(422);
        execute("update session set proven_at = now() - interval '11 minutes' where proven_at is not null"
                + " and account_id = (select account_id from account where email = '" + email + "')");
        assertThat(delete(browser).getStatus().value()).as("for some minutes").isEqualTo(422);

        prove(browser, "/account/delete", askedAnew());
        String id = id();
        assertThat(location(delete(browser))).isEqualTo("/sign-in?after=deletion&next=%2F");
        assertThat(number("select count(*) from openid_identity join account using (account_id) where external_id = '"
                        + id + "'"))
                .isZero();
        assertThat(elsewhere.status("/account")).isEqualTo(303);
        assertThat(location(signIn(elsewhere, somebody()))).as("a new account").isEqualTo("/");
        assertThat(id()).isNotEqualTo(id);
    }

    @Test
    void two_step_sign_in_and_export_work_without_a_password() {
        signIn(browser, somebody());
        assertThat(browser.get("/account/two-step").select("main").text()).contains("has no password");
        assertThat(location(prove(browser, "/account/two-step", askedAnew()))).isEqualTo("/account/two-step");
        assertThat(location(browser.send("/account/two-step", "/account/two-step", Map.of())))
                .isEqualTo("/account/two-step");
        assertThat(browser.get("/account/two-step").select("svg.qr")).isNotEmpty();
        byte[] export = browser.answer("/account/export.json").getResponseBody();
        assertThat(new String(Objects.requireNonNull(export), StandardCharsets.UTF_8))
                .contains(provider.issuer(), subject)
                .doesNotContain("argon2");
    }

    @Test
    void provider_does_not_stand_for_a_password_that_there_is() {
        String own = People.person();
        browser.signIn(own, People.PASSWORD);
        link(browser, People.PASSWORD, somebody());
        prove(browser, "/account/delete", askedAnew());
        assertThat(delete(browser).getStatus().value()).isEqualTo(422);
        assertThat(accounts(own)).isEqualTo(1);
    }

    private EntityExchangeResult<byte[]> unlink(String password) {
        return browser.send("/account/openid/unlink", "/account/openid", Map.of("password", password));
    }

    private EntityExchangeResult<byte[]> delete(Browser by) {
        String token = by.get("/account").select("input[name=_csrf]").attr("value");
        return by.send("/account/delete", "/account/delete", Map.of("password", "", "_csrf", token));
    }

    private String token() {
        return browser.get("/account").select("input[name=_csrf]").attr("value");
    }

    private String id() {
        return await(database.sql("select external_id from account where email = :email")
                .bind("email", email)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }
}
