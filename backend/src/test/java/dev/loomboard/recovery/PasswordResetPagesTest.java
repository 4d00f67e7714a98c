package dev.loomboard.recovery;

import static dev.loomboard.kit.Browser.document;
import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cli.Commands;
import dev.loomboard.credential.People;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.MailServer;
import dev.loomboard.kit.WebTest;
import dev.loomboard.signin.SignInPage;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

final class PasswordResetPagesTest extends WebTest {

    private static final String NEXT = "another long password";

    private final MailServer mails = MailServer.shared();
    private final String email = People.person();
    private final Browser browser = new Browser(client, "203.0.113.50");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void mailed_link_sets_a_new_password_once_and_signs_every_browser_out() {
        Browser thief = new Browser(client, "203.0.113.51");
        thief.signIn(email, People.PASSWORD);
        ask(email);
        ask(email);
        String first = MailServer.link(mails.awaited(email, 1));
        String second = MailServer.link(mails.awaited(email, 2));
        assertThat(second).isNotEqualTo(first);

        EntityExchangeResult<byte[]> refused =
                browser.send(first, first, Map.of("password", "short", "repeated", "other"));
        assertThat(refused.getStatus().value()).isEqualTo(422);
        assertThat(document(refused).select("#password-problem").text()).contains("must have 12 to 200");
        assertThat(document(refused).select("#repeated-problem").text()).contains("differs");

        assertThat(location(choose(first))).isEqualTo("/sign-in?after=reset&next=%2F");
        assertThat(browser.get("/sign-in?after=reset").text()).contains("The password is changed");
        assertThat(thief.status("/account")).isEqualTo(303);
        assertThat(browser.status(first)).as("used").isEqualTo(404);
        assertThat(browser.status(second))
                .as("ends with the password it was for")
                .isEqualTo(404);
        assertThat(browser.signIn(email, People.PASSWORD).getStatus().value()).isEqualTo(422);
        assertThat(location(browser.signIn(email, NEXT))).isEqualTo("/");
        assertThat(browser.get("/account").text())
                .as("who has the link reads mail there")
                .doesNotContain("address not verified");
    }

    @Test
    void stranger_is_not_told_whether_an_address_has_an_account() {
        String unknown = People.email();
        EntityExchangeResult<byte[]> none = ask(unknown);
        EntityExchangeResult<byte[]> known = ask(email);
        assertThat(location(none)).isEqualTo(location(known)).isEqualTo("/reset-password?asked=true");
        assertThat(none.getResponseBody()).isEqualTo(known.getResponseBody());
        mails.awaited(email, 1); // mails are sent one after the other
        assertThat(mails.to(unknown)).isEmpty();
    }

    @Test
    void link_ends_when_the_password_is_changed_otherwise() {
        ask(email);
        String link = MailServer.link(mails.awaited(email, 1));
        browser.signIn(email, People.PASSWORD);
        browser.send(
                "/account/password",
                "/account",
                Map.of("current", People.PASSWORD, "password", NEXT, "repeated", NEXT));
        assertThat(browser.status(link)).isEqualTo(404);
    }

    @Test
    void link_ends_after_an_hour() {
        ask(email);
        String link = MailServer.link(mails.awaited(email, 1));
        String of = " account_link l using (account_id) where email = '" + email + "'";
        assertThat(number("select count(*) from account a join" + of
                        + " and l.expires_at = l.created_at + interval '1 hour'"))
                .isEqualTo(1);
        execute("update account_link l set expires_at = now() - interval '1 second' from account a"
                + " where a.account_id = l.account_id and a.email = '" + email + "'");
        assertThat(browser.status(link)).isEqualTo(404);
    }

    @Test
    void link_of_a_disabled_account_does_not_work() {
        ask(email);
        String link = MailServer.link(mails.awaited(email, 1));
        execute("update account set disabled_at = now() where email = '" + email + "'");
        assertThat(browser.status(link)).as("says nothing of the account").isEqualTo(200);
        assertThat(choose(link).getStatus().value()).isEqualTo(404);
    }

    @Test
    void pages_say_whether_a_link_is_mailed_or_given_by_the_operator() {
        assertThat(browser.get("/sign-in").select("a[href=/reset-password]").text())
                .isEqualTo("Get a link by mail");
        PageContext shell = new PageContext(new Caller.Anonymous(), "/reset-password", "", false, () -> "token");
        PageRenderer html = service.bean(PageRenderer.class);
        byte[] signIn = html.show(shell, new SignInPage("/", "", null, null, true, "", false))
                .getBody();
        assertThat(text(signIn)).contains("Ask the operator for a link");
        byte[] reset = html.show(shell, new PasswordResetPage(false, false, FormState.with(Map.of())))
                .getBody();
        assertThat(text(reset)).contains("sends no mail", "reset-password --email=");
    }

    private static String text(byte @Nullable [] page) {
        return Jsoup.parse(new String(Objects.requireNonNull(page), StandardCharsets.UTF_8))
                .text();
    }

    @Test
    void operator_prints_a_link_beside_the_running_service() {
        assertThat(run("reset-password", "--email=" + email.toUpperCase(java.util.Locale.ROOT)))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        String printed = out.toString(StandardCharsets.UTF_8);
        assertThat(printed).startsWith("Works once, for 60 minutes: http://localhost:");
        assertThat(location(choose(MailServer.link(printed)))).startsWith("/sign-in?after=reset");
        browser.signIn(email, NEXT);
        assertThat(browser.get("/account").text())
                .as("the operator is no proof of the address")
                .contains("address not verified");
        assertThat(number("select count(*) from audit_event e join account a on a.external_id = e.subject"
                        + " where a.email = '" + email + "' and e.actor = 'operator'"
                        + " and e.action = 'account.print-reset-link'"))
                .isEqualTo(1);
        assertThat(run("reset-password", "--email=nobody@example.org")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("No account that may sign in has the address");
    }

    @Test
    void link_that_the_operator_mails_proves_the_address() {
        assertThat(run("reset-password", "--by-mail", "--email=" + email)).isZero();
        choose(MailServer.link(out.toString(StandardCharsets.UTF_8)));
        browser.signIn(email, NEXT);
        assertThat(browser.get("/account").text()).contains(email).doesNotContain("address not verified");
    }

    @Test
    void operator_turns_codes_off_for_a_person_who_is_locked_out() {
        execute("insert into account_totp (account_id, secret, created_at, confirmed_at)"
                + " select account_id, decode(repeat('00', 20), 'hex'), now(), now() from account where email = '"
                + email
                + "'");
        assertThat(location(browser.signIn(email, People.PASSWORD))).startsWith("/sign-in/code");
        assertThat(run("disable-two-step", "--email=" + email)).isZero();
        assertThat(run("disable-two-step", "--email=" + email)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(" is off.", " was off already.");
        assertThat(location(browser.signIn(email, People.PASSWORD))).isEqualTo("/");
    }

    private EntityExchangeResult<byte[]> ask(String address) {
        return browser.send("/reset-password", "/reset-password", Map.of("email", address));
    }

    private EntityExchangeResult<byte[]> choose(String link) {
        return browser.send(link, link, Map.of("password", NEXT, "repeated", NEXT));
    }

    private int run(String... arguments) {
        return Commands.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                "--loomboard.database.url=" + service.database().withPassword());
    }
}
