package dev.loomboard.signin;

import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.WebTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Signing in and out, and what who guesses gets. */
final class SignInPagesTest extends WebTest {

    private static final String NEXT_PASSWORD = "another long password";

    private final String email = People.person();
    private final Browser here = new Browser(client, "203.0.113.80");

    @Test
    void person_signs_in_changes_the_password_and_signs_out() {
        assertThat(location(here.send(
                        "/sign-in",
                        "/sign-in?next=/account",
                        Map.of("email", email.toUpperCase(Locale.ROOT), "password", People.PASSWORD))))
                .isEqualTo("/account");
        String first = here.cookie("lb_session");
        Document account = here.get("/account");
        assertThat(account.text()).contains(email);

        assertThat(location(changed(People.PASSWORD))).isEqualTo("/account?changed=password");
        String second = here.cookie("lb_session");
        assertThat(second).as("rotated").isNotEqualTo(first);
        assertThat(statusOf("/account", first)).as("the old session").isEqualTo(303);

        Map<String, String> token = Map.of(
                "_csrf", here.get("/account").select("main input[name=_csrf]").attr("value"));
        assertThat(location(here.send("/sign-out", "/account", token))).isEqualTo("/");
        assertThat(statusOf("/account", second))
                .as("the session after signing out")
                .isEqualTo(303);
        assertThat(here.signIn(email, People.PASSWORD).getStatus().value()).isEqualTo(422);
        assertThat(here.signIn(email, NEXT_PASSWORD).getStatus().value()).isEqualTo(303);
    }

    @Test
    void wrong_password_and_unknown_email_get_the_same_answer() {
        Document wrong = document(here.signIn(email, "wrong"));
        Document unknown = document(here.signIn("no-" + email, "wrong"));
        assertThat(wrong.select("[role=alert]").text()).isEqualTo("Email or password is wrong.");
        assertThat(unknown.select("[role=alert]").text()).isEqualTo("Email or password is wrong.");
        assertThat(wrong.select("input[name=password]").attr("value")).isEmpty();
    }

    @Test
    void failures_of_others_behind_the_proxy_lock_nobody_out() {
        Browser known = from("203.0.113.1");
        assertThat(status(known, People.PASSWORD)).isEqualTo(303); // this browser is known from now on
        for (int client = 1; client <= 45; client++) {
            assertThat(status(from("198.51.100." + client), "wrong")).isEqualTo(422);
        }
        assertThat(status(from("198.51.100.46"), People.PASSWORD)).isEqualTo(303);

        Browser forger = from("198.51.100.99");
        for (int i = 0; i < SignInThrottle.PER_ACCOUNT_AND_ADDRESS; i++) {
            assertThat(status(forger.at("10.0.0." + i + ", 198.51.100.99"), "wrong"))
                    .isEqualTo(422);
        }
        assertThat(status(forger.at("10.1.1.1, 198.51.100.99"), People.PASSWORD))
                .as("a forged hop at the left makes no new client")
                .isEqualTo(429);
        known.forget("lb_session");
        assertThat(status(known.at("198.51.100.99"), People.PASSWORD))
                .as("a browser that has signed in before")
                .isEqualTo(303);
        known.forget("lb_session");
        known.forget("lb_device_");
        assertThat(status(known.at("198.51.100.99"), People.PASSWORD))
                .as("the same without its cookie")
                .isEqualTo(429);
    }

    /** Its {@code Forwarded} is not believed. */
    private Browser from(String address) {
        WebTestClient forging =
                client.mutate().defaultHeader("Forwarded", "for=192.0.2.1").build();
        return new Browser(forging, address);
    }

    private int status(Browser browser, String password) {
        return browser.signIn(email, password).getStatus().value();
    }

    @Test
    void link_to_another_site_is_not_followed_after_signing_in() {
        for (String next : new String[] {"//evil.example", "/\\evil.example", "https://evil.example", "/a|b"}) {
            Document form = here.get("/sign-in?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
            assertThat(form.select("input[name=next]").attr("value")).as(next).isEqualTo("/");
        }
    }

    @Test
    void address_that_is_none_leads_home_after_signing_in() {
        for (String next : new String[] {"/%zz", "/a?b=%", "/runs%2"}) {
            assertThat(landing(next)).as(next).isEqualTo("/");
        }
        assertThat(landing("/runs?before=2026-11-21T02:00:00%2B00:00"))
                .isEqualTo("/runs?before=2026-11-21T02:00:00%2B00:00");
    }

    private String landing(String next) {
        return location(new Browser(client, "203.0.113.81")
                .send("/sign-in", "/sign-in", Map.of("email", email, "password", People.PASSWORD, "next", next)));
    }

    @Test
    void failed_sign_in_is_recorded_without_what_was_typed() {
        String typed = "typed-" + ExternalId.random("acc");
        assertThat(here.at("203.0.113.77").signIn(email, typed).getStatus().value())
                .isEqualTo(422);
        assertThat(here.at("203.0.113.78")
                        .signIn(typed + "@example.org", typed)
                        .getStatus()
                        .value())
                .isEqualTo(422);
        assertThat(number("select count(*) from audit_event e join account a on a.external_id = e.subject"
                        + " where e.action = 'account.sign-in-failed' and a.email = '" + email
                        + "' and e.actor = 'anonymous' and e.detail = '{\"address\": \"203.0.113.77\"}'"))
                .isEqualTo(1);
        assertThat(number("select count(*) from audit_event where action = 'account.sign-in-failed'"
                        + " and subject = 'unknown' and detail ->> 'address' = '203.0.113.78'"))
                .isEqualTo(1);
        assertThat(number("select count(*) from audit_event where audit_event::text like '%" + typed + "%'"))
                .isZero();
    }

    @Test
    void current_password_cannot_be_guessed_within_a_session() {
        here.signIn(email, People.PASSWORD);
        for (int i = 0; i < SignInThrottle.PER_DEVICE; i++) {
            assertThat(changed("wrong").getStatus().value()).isEqualTo(422);
        }
        EntityExchangeResult<byte[]> refused = changed(People.PASSWORD);
        assertThat(refused.getStatus().value()).isEqualTo(429);
        assertThat(document(refused).select("[role=alert]").text()).contains("Try again in 15 minutes");
        assertThat(number("select count(*) from audit_event e join account a on a.external_id = e.subject"
                        + " where e.action = 'account.change-password-failed' and a.email = '" + email + "'"))
                .isEqualTo(SignInThrottle.PER_DEVICE);
    }

    private EntityExchangeResult<byte[]> changed(String current) {
        return here.send(
                "/account/password",
                "/account",
                Map.of("current", current, "password", NEXT_PASSWORD, "repeated", NEXT_PASSWORD));
    }

    private int statusOf(String path, String session) {
        return client.get()
                .uri(path)
                .cookie("lb_session", session)
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }
}
