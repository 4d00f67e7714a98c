package dev.loomboard.openid;

import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.MailServer;
import dev.loomboard.kit.ScriptedProvider;
import dev.loomboard.kit.ScriptedProvider.Says;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** Signing in by a provider, and getting an account by it. The shared service has open sign-up and mail. */
final class OpenIdPagesTest extends ProviderTrips {

    private final Browser browser = new Browser(client, "203.0.113.70");

    @Test
    void button_leads_to_the_provider_with_all_that_binds_the_answer_to_this_browser() {
        Element button =
                Objects.requireNonNull(browser.get("/sign-in?next=/machines").selectFirst("a[href^=/sign-in/openid]"));
        assertThat(button.text()).isEqualTo("Sign in with " + ScriptedProvider.NAME);
        URI leaving = leave(browser, button.attr("href").replace("%2F", "/"));
        assertThat(leaving.toString()).startsWith(provider.issuer() + "/authorize?tenant=1&");
        Map<String, String> asked = ScriptedProvider.query(leaving.getRawQuery());
        assertThat(asked)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", ScriptedProvider.CLIENT)
                .containsEntry("redirect_uri", service.url() + "/sign-in/openid/callback")
                .containsEntry("scope", "openid email profile")
                .containsEntry("code_challenge_method", "S256")
                .doesNotContainKeys("prompt", "max_age", "client_secret");
        assertThat(asked.get("state")).hasSize(43).isNotEqualTo(asked.get("nonce"));
        assertThat(leave(browser, "/sign-in/openid").getRawQuery())
                .as("every visit has its own")
                .doesNotContain(asked.get("state"), asked.get("nonce"), asked.get("code_challenge"));
    }

    @Test
    void first_visit_makes_an_account_and_the_next_signs_in_to_it() {
        URI leaving = leave(browser, "/sign-in/openid?next=/first");
        assertThat(location(browser.answer(provider.agree(leaving, somebody()))))
                .isEqualTo("/first");
        Document account = browser.get("/account");
        assertThat(account.text())
                .contains("Ann of Example", email, "is linked with", "Set a password")
                .doesNotContain("not verified");
        assertThat(audited(email, "account.sign-up")).isEqualTo(1);
        assertThat(audited(email, "account.link-identity")).isEqualTo(1);

        Browser other = new Browser(client, "203.0.113.71");
        Says moved = provider.person(subject, People.email());
        assertThat(location(signIn(other, moved))).isEqualTo("/");
        assertThat(other.get("/account").text())
                .as("the same account, whatever the address is now")
                .contains(email);
        assertThat(audited(email, "account.sign-in")).isEqualTo(2);
        assertThat(number(
                        "select count(*) from audit_event e join account a on a.external_id = e.actor where a.email = '"
                                + email + "' and e.detail ->> 'by' = 'openid'"))
                .isEqualTo(2);
        assertThat(number("select count(*) from openid_visit where next = '/first'"))
                .as("visits are used up")
                .isZero();
    }

    @Test
    void address_of_an_account_lets_nobody_into_it() {
        String known = People.person();
        for (boolean verified : new boolean[] {true, false}) {
            Says says = provider.says(
                    Map.of("sub", subject, "email", known.toUpperCase(Locale.ROOT), "email_verified", verified));
            assertSays(signIn(browser, says), 409, "Sign in with your password and link the two");
        }
        assertThat(browser.status("/account")).as("signed in").isEqualTo(303);
        assertThat(accounts(known)).isEqualTo(1);
        assertThat(identities(known)).isZero();
    }

    @Test
    void address_that_the_provider_does_not_vouch_for_is_marked() {
        signIn(browser, provider.says(Map.of("sub", subject, "email", email)));
        assertThat(browser.get("/account").text()).contains(email, "address not verified");
    }

    @Test
    void provider_may_tell_the_address_when_it_is_asked_for_the_person() {
        Says silent = provider.says(Map.of("sub", subject));
        Says told = new Says(
                silent.token(),
                Map.of("sub", subject, "email", email, "email_verified", true, "preferred_username", "ann"),
                silent.signedBy());
        assertThat(location(signIn(browser, told))).isEqualTo("/");
        assertThat(browser.get("/account").text()).contains(email, "ann").doesNotContain("not verified");

        Browser other = new Browser(client, "203.0.113.72");
        String stranger = "stranger-" + subject;
        Says ofAnother =
                new Says(Map.of("sub", stranger), Map.of("sub", subject, "email", People.email()), silent.signedBy());
        assertSays(signIn(other, ofAnother), 422, "does not give your address");
        assertSays(signIn(other, provider.says(Map.of("sub", stranger))), 422, "does not give your address");
        assertSays(
                signIn(other, provider.says(Map.of("sub", stranger, "email", "no address"))),
                422,
                "does not give your address");
    }

    @Test
    void name_that_nobody_may_type_is_not_taken_from_the_provider_either() {
        signIn(browser, provider.says(Map.of("sub", subject, "email", email, "name", "Ann \u202E nna")));
        String shown = browser.get("/account").select("dd").get(0).text();
        assertThat(shown).isEqualTo(email.substring(0, email.indexOf('@')));
        Browser other = new Browser(client, "203.0.113.73");
        String long80 = "x".repeat(79) + "\uD83D\uDE80 and more";
        signIn(other, provider.says(Map.of("sub", subject + "2", "email", People.email(), "name", long80)));
        assertThat(other.get("/account").select("dd").get(0).text()).isEqualTo("x".repeat(79));
    }

    @Test
    void codes_of_the_account_are_asked_for_after_the_provider_too() {
        signIn(browser, somebody());
        execute("insert into account_totp (account_id, secret, created_at, confirmed_at) select account_id,"
                + " decode(repeat('ab', 20), 'hex'), now(), now() from account where email = '" + email + "'");
        Browser other = new Browser(client, "203.0.113.74");
        URI leaving = leave(other, "/sign-in/openid?next=/runs");
        assertThat(location(other.answer(provider.agree(leaving, somebody())))).isEqualTo("/sign-in/code?next=%2Fruns");
        assertThat(other.status("/account")).as("not signed in yet").isEqualTo(303);
    }

    @Test
    void disabled_account_stays_out() {
        signIn(browser, somebody());
        execute("update account set disabled_at = now() where email = '" + email + "'");
        assertSays(signIn(new Browser(client, "203.0.113.75"), somebody()), 403, "may not sign in");
    }

    @Test
    void what_the_provider_refuses_is_said_in_words() {
        String denied = "error=access_denied&error_description=<script>alert(1)</script>";
        assertSays(refusedThere(denied), 403, ScriptedProvider.NAME + " did not allow the sign-in here");
        assertSays(refusedThere("error=server_error"), 403, "did not sign you in", "(server_error)");
        assertSays(refusedThere("error=<b>x</b>"), 403, "did not sign you in");
        assertThat(Browser.document(refusedThere("error=<b>x</b>")).text()).doesNotContain("<b>");
    }

    private EntityExchangeResult<byte[]> refusedThere(String error) {
        String state = ScriptedProvider.query(leave(browser, "/sign-in/openid").getRawQuery())
                .get("state");
        return browser.answer("/sign-in/openid/callback?state=" + state + "&" + error);
    }

    @Test
    void next_leads_nowhere_else() {
        for (String next : new String[] {"//evil.example.org", "https://evil.example.org", "/\\evil.example.org"}) {
            URI leaving = leave(browser, "/sign-in/openid?next=" + next);
            assertThat(location(browser.answer(provider.agree(leaving, somebody()))))
                    .as(next)
                    .isEqualTo("/");
        }
    }

    @Test
    void person_without_a_password_gets_one_by_mail_and_keeps_the_link_of_a_proven_address() {
        signIn(browser, somebody());
        assertThat(browser.signIn(email, People.PASSWORD).getStatus().value()).isEqualTo(422);
        resetByMail(email);
        assertThat(location(new Browser(client, "203.0.113.76").signIn(email, People.PASSWORD)))
                .isEqualTo("/");
        assertThat(location(signIn(browser, somebody()))).isEqualTo("/");
        assertThat(browser.get("/account").text()).contains("Change the password");
    }

    /** Else whoever took an address at the provider would be in the account when its owner comes. */
    @Test
    void mailed_password_ends_links_from_before_the_address_was_proven() {
        signIn(browser, provider.says(Map.of("sub", subject, "email", email)));
        resetByMail(email);
        assertThat(browser.status("/account")).isEqualTo(303);
        assertThat(identities(email)).isZero();
        Map<String, Object> again = new HashMap<>(Map.of("sub", subject, "email", email));
        assertSays(signIn(browser, provider.says(again)), 409, "There is an account with your address");
    }

    private void resetByMail(String address) {
        Browser reader = new Browser(client, "203.0.113.77");
        reader.send("/reset-password", "/reset-password", Map.of("email", address));
        String link = MailServer.link(MailServer.shared().awaited(address, 1));
        Map<String, String> password = Map.of("password", People.PASSWORD, "repeated", People.PASSWORD);
        assertThat(location(reader.send(link, link, password))).startsWith("/sign-in?after=reset");
    }
}
