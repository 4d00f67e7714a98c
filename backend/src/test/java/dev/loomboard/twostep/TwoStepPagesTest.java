package dev.loomboard.twostep;

import static dev.loomboard.kit.Browser.document;
import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.credential.SignInThrottle;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.WebTest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bouncycastle.util.encoders.Base32;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

final class TwoStepPagesTest extends WebTest {

    private static final String WRONG = "000 000 0";

    private final String email = People.person();
    private final Browser browser = new Browser(client, "203.0.113.20");

    @Test
    void code_is_asked_for_once_it_is_on_and_each_is_good_once() {
        byte[] secret = begun();
        assertThat(browser.get("/account/two-step").select("svg.qr path").attr("d"))
                .isNotEmpty();
        assertThat(number("select count(*) from account a join account_totp using (account_id) where email = '" + email
                        + "' and confirmed_at is null"))
                .isEqualTo(1);
        assertThat(location(new Browser(client, "203.0.113.21").signIn(email, People.PASSWORD)))
                .as("not asked for yet")
                .isEqualTo("/");
        long step = Instant.now().getEpochSecond() / 30;
        List<String> recovery = confirmed(Totp.code(secret, step));
        assertThat(recovery).hasSize(10);
        assertThat(browser.get("/account/two-step").text())
                .contains("10 of your recovery codes are left")
                .doesNotContain(recovery.getFirst());

        Browser other = new Browser(client, "203.0.113.22");
        assertThat(location(other.send(
                        "/sign-in", "/sign-in?next=/runs", Map.of("email", email, "password", People.PASSWORD))))
                .isEqualTo("/sign-in/code?next=%2Fruns");
        assertThat(other.status("/account"))
                .as("the password alone lets nobody in")
                .isEqualTo(303);
        assertThat(code(other, Totp.code(secret, step)).getStatus().value())
                .as("the code that was used to turn it on")
                .isEqualTo(422);
        assertThat(location(code(other, Totp.code(secret, step + 1), "/runs"))).isEqualTo("/runs");
        assertThat(other.status("/account")).isEqualTo(200);
        assertThat(location(other.answer("/sign-in/code")))
                .as("nothing waits any more")
                .startsWith("/sign-in?after=step");
    }

    @Test
    void recovery_code_signs_in_once() {
        List<String> recovery = on();
        Browser other = new Browser(client, "203.0.113.23");
        other.signIn(email, People.PASSWORD);
        assertThat(location(code(other, recovery.get(3).toUpperCase(java.util.Locale.ROOT))))
                .isEqualTo("/");
        Browser third = new Browser(client, "203.0.113.24");
        third.signIn(email, People.PASSWORD);
        assertThat(code(third, recovery.get(3)).getStatus().value()).isEqualTo(422);
        assertThat(location(code(third, recovery.get(4)))).isEqualTo("/");
        assertThat(browser.get("/account/two-step").text()).contains("8 of your recovery codes");
        assertThat(number("select count(*) from recovery_code where encode(code_hash, 'escape') like '%"
                        + recovery.get(3).replace("-", "") + "%'"))
                .isZero();
    }

    @Test
    void codes_cannot_be_guessed() {
        List<String> recovery = on();
        Browser guesser = new Browser(client, "203.0.113.25");
        guesser.signIn(email, People.PASSWORD);
        for (int i = 0; i < SignInThrottle.PER_DEVICE; i++) {
            assertThat(code(guesser, WRONG).getStatus().value()).isEqualTo(422);
        }
        assertThat(code(guesser, recovery.getFirst()).getStatus().value()).isEqualTo(429);
        assertThat(number("select count(*) from audit_event e join account a on a.external_id = e.subject"
                        + " where e.action = 'account.code-failed' and a.email = '" + email + "'"))
                .isEqualTo(SignInThrottle.PER_DEVICE);
    }

    @Test
    void it_is_turned_off_by_password_and_code_alone() {
        List<String> recovery = on();
        assertThat(problem(disable("wrong", recovery.getFirst()), "password")).isEqualTo("is wrong");
        assertThat(problem(disable(People.PASSWORD, WRONG), "code")).isEqualTo("is wrong, or was used already");
        assertThat(location(disable(People.PASSWORD, recovery.getFirst()))).isEqualTo("/account/two-step");
        assertThat(location(new Browser(client, "203.0.113.26").signIn(email, People.PASSWORD)))
                .isEqualTo("/");
        assertThat(number("select count(*) from account_totp join account using (account_id) where email = '" + email
                        + "'"))
                .isZero();
    }

    @Test
    void it_is_turned_on_by_the_password_alone_and_then_stays_as_it_is() {
        browser.signIn(email, People.PASSWORD);
        EntityExchangeResult<byte[]> refused =
                browser.send("/account/two-step", "/account/two-step", Map.of("password", "wrong"));
        assertThat(problem(refused, "password")).isEqualTo("is wrong");
        assertThat(refused.getResponseHeaders().getCacheControl()).isEqualTo("no-store");
        byte[] secret = begun();
        confirmed(Totp.code(secret, Instant.now().getEpochSecond() / 30));
        long confirmed = number("select extract(epoch from confirmed_at)::bigint from account_totp"
                + " join account using (account_id) where email = '" + email + "'");
        // A page that was open before it was on.
        Map<String, String> stale = Map.of(
                "password",
                People.PASSWORD,
                "_csrf",
                browser.get("/account/two-step").select("input[name=_csrf]").attr("value"));
        browser.send("/account/two-step", "/account/two-step", stale);
        assertThat(number("select extract(epoch from confirmed_at)::bigint from account_totp"
                        + " join account using (account_id) where email = '" + email + "' and secret = '\\x"
                        + java.util.HexFormat.of().formatHex(secret) + "'"))
                .isEqualTo(confirmed);
    }

    private List<String> on() {
        return confirmed(Totp.code(begun(), Instant.now().getEpochSecond() / 30));
    }

    /** The secret, as the page shows it. */
    private byte[] begun() {
        browser.signIn(email, People.PASSWORD);
        assertThat(location(
                        browser.send("/account/two-step", "/account/two-step", Map.of("password", People.PASSWORD))))
                .isEqualTo("/account/two-step");
        return Base32.decode(browser.get("/account/two-step").select("pre code").text());
    }

    private List<String> confirmed(String code) {
        EntityExchangeResult<byte[]> result =
                browser.send("/account/two-step/confirm", "/account/two-step", Map.of("code", code));
        assertThat(result.getStatus().value()).isEqualTo(200);
        assertThat(result.getResponseHeaders().getCacheControl()).isEqualTo("no-store");
        Document page = document(result);
        return Objects.requireNonNull(page.selectFirst("pre code"))
                .wholeText()
                .lines()
                .toList();
    }

    private EntityExchangeResult<byte[]> disable(String password, String code) {
        return browser.send(
                "/account/two-step/disable", "/account/two-step", Map.of("password", password, "code", code));
    }

    private static EntityExchangeResult<byte[]> code(Browser browser, String code) {
        return code(browser, code, "/");
    }

    private static EntityExchangeResult<byte[]> code(Browser browser, String code, String next) {
        return browser.send("/sign-in/code", "/sign-in/code?next=" + next, Map.of("code", code));
    }

    private static String problem(EntityExchangeResult<byte[]> refused, String field) {
        assertThat(refused.getStatus().value()).isEqualTo(422);
        return document(refused).select("#" + field + "-problem").text();
    }
}
