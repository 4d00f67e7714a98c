package dev.loomboard.account;

import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.credential.People;
import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.WebTest;
import dev.loomboard.session.SessionLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;
import org.junit.jupiter.api.Test;

final class SessionPagesTest extends WebTest {

    private final String email = People.person();
    private final Browser here = browser("203.0.113.10");

    @Test
    void person_sees_where_the_account_is_signed_in_and_ends_it_there() {
        Browser there = browser("203.0.113.11");
        here.signIn(email, People.PASSWORD);
        there.signIn(email, People.PASSWORD);

        Elements rows = here.get("/account").select("#sessions tbody tr");
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).text()).contains("Firefox on Linux", "203.0.113.10", "this one");
        assertThat(rows.get(1).text()).contains("203.0.113.11").doesNotContain("this one");
        assertThat(rows.get(0).select("form")).as("one signs oneself out above").isEmpty();
        String json = new String(
                Objects.requireNonNull(here.answer("/account.json").getResponseBody()), StandardCharsets.UTF_8);
        assertThat(json).contains("loomboard.account/1", email, "203.0.113.11", "\"current\":true");

        Element revoke = Objects.requireNonNull(rows.get(1).selectFirst("form"));
        assertThat(location(here.send(revoke.attr("action"), "/account", Map.of())))
                .isEqualTo("/account?changed=session");
        assertThat(there.status("/account")).as("signed out there").isEqualTo(303);
        assertThat(here.status("/account")).isEqualTo(200);
        assertThat(audited("session.revoke")).isEqualTo(1);
    }

    @Test
    void session_of_somebody_else_cannot_be_ended() {
        here.signIn(email, People.PASSWORD);
        Browser there = browser("203.0.113.12");
        there.signIn(email, People.PASSWORD);
        String revoke = Objects.requireNonNull(here.get("/account").selectFirst("#sessions tbody form"))
                .attr("action");
        Browser stranger = browser("203.0.113.13");
        stranger.signIn(People.person(), People.PASSWORD);
        // Any form of the page has the browser's token.
        Map<String, String> token = Map.of(
                "_csrf", stranger.get("/account").select("input[name=_csrf]").attr("value"));
        assertThat(stranger.send(revoke, "/account", token).getStatus().value()).isEqualTo(404);
        assertThat(there.status("/account")).isEqualTo(200);
    }

    @Test
    void every_other_session_ends_at_once() {
        Browser there = browser("203.0.113.14");
        Browser elsewhere = browser("203.0.113.15");
        for (Browser browser : new Browser[] {there, elsewhere, here}) {
            browser.signIn(email, People.PASSWORD);
        }
        here.send("/account/sessions/revoke-others", "/account", Map.of());
        assertThat(there.status("/account")).isEqualTo(303);
        assertThat(elsewhere.status("/account")).isEqualTo(303);
        assertThat(here.status("/account")).isEqualTo(200);
        assertThat(here.get("/account").select("form[action=/account/sessions/revoke-others]"))
                .as("nothing is left to end")
                .isEmpty();
        assertThat(audited("session.revoke-others")).isEqualTo(1);
    }

    @Test
    void session_ends_when_it_is_not_used() {
        here.signIn(email, People.PASSWORD);
        seen("6 days 23 hours");
        assertThat(here.status("/account")).isEqualTo(200);
        seen("7 days 1 minute");
        assertThat(here.status("/account")).isEqualTo(303);
        browser("203.0.113.16").signIn(email, People.PASSWORD);
        assertThat(sessions()).as("the ended one's row is gone").isEqualTo(1);
    }

    @Test
    void session_ends_after_its_time_however_much_it_is_used() {
        here.signIn(email, People.PASSWORD);
        assertThat(number("select count(*) from session s join account using (account_id) where email = '" + email
                        + "' and s.expires_at = s.created_at + interval '14 days'"))
                .isEqualTo(1);
        execute("update session s set expires_at = now() - interval '1 second' from account a"
                + " where a.account_id = s.account_id and a.email = '" + email + "'");
        assertThat(here.status("/account")).isEqualTo(303);
    }

    @Test
    void use_is_noted_once_in_some_minutes() {
        here.signIn(email, People.PASSWORD);
        seen("4 minutes");
        here.get("/account");
        assertThat(unusedSeconds()).isGreaterThanOrEqualTo(240);
        seen("6 minutes");
        here.get("/account");
        assertThat(unusedSeconds()).isLessThan(240);
    }

    @Test
    void limit_that_would_sign_out_who_is_there_is_refused() {
        assertThatThrownBy(() -> new SessionLimits(Duration.ofMinutes(1), Duration.ofDays(1)))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("LOOMBOARD_SESSION_IDLE");
    }

    private void seen(String ago) {
        execute("update session s set last_seen_at = now() - interval '" + ago + "' from account a"
                + " where a.account_id = s.account_id and a.email = '" + email + "'");
    }

    private long unusedSeconds() {
        return number("select extract(epoch from now() - s.last_seen_at)::bigint from session s"
                + " join account using (account_id) where email = '" + email + "'");
    }

    private long sessions() {
        return number("select count(*) from session join account using (account_id) where email = '" + email + "'");
    }

    private long audited(String action) {
        return number("select count(*) from audit_event e join account a on a.external_id = e.actor"
                + " where a.email = '" + email + "' and e.action = '" + action + "'");
    }

    private Browser browser(String address) {
        return new Browser(client, address);
    }
}
