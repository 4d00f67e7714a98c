package dev.loomboard.signin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.WebTest;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseCookie;

/** What a browser keeps of signing in, and for how long it is good. */
final class SignInCookiesTest extends WebTest {

    private final String email = People.person();
    private final Browser here = new Browser(client, "203.0.113.82");

    @Test
    void session_cookie_is_kept_from_scripts_and_other_sites() {
        ResponseCookie cookie = Objects.requireNonNull(
                here.signIn(email, People.PASSWORD).getResponseCookies().getFirst("lb_session"));
        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(cookie.getSameSite()).isEqualTo("Lax");
        assertThat(cookie.isSecure()).as("over plain http").isFalse();
        assertThat(number("select count(*) from session where encode(token_hash, 'escape') like '%" + cookie.getValue()
                        + "%'"))
                .isZero();
    }

    @Test
    void device_cookie_is_kept_from_scripts_and_ends_with_the_password() {
        ResponseCookie device =
                here.signIn(email, People.PASSWORD).getResponseCookies().toSingleValueMap().values().stream()
                        .filter(cookie -> cookie.getName().startsWith("lb_device_"))
                        .findFirst()
                        .orElseThrow();
        assertThat(device.isHttpOnly()).isTrue();
        assertThat(device.getSameSite()).isEqualTo("Lax");
        String next = "another long password";
        here.send(
                "/account/password",
                "/account",
                Map.of("current", People.PASSWORD, "password", next, "repeated", next));
        assertThat(here.cookie(device.getName())).as("a new one").isNotEqualTo(device.getValue());
    }

    @Test
    void expired_session_and_disabled_account_are_anonymous() {
        Secret session = cast.ownerSession();
        Browser owner = new Browser(
                client.mutate().defaultCookie("lb_session", session.value()).build(), "203.0.113.83");
        assertThat(owner.status("/account")).isEqualTo(200);
        await(database.sql("update session set expires_at = now() - interval '1 second' where token_hash = :hash")
                .bind("hash", session.hash())
                .fetch()
                .rowsUpdated());
        assertThat(owner.status("/account")).isEqualTo(303);

        here.signIn(email, People.PASSWORD);
        assertThat(here.status("/account")).isEqualTo(200);
        execute("update account set disabled_at = now() where email = '" + email + "'");
        assertThat(here.status("/account")).isEqualTo(303);
    }

    @Test
    void page_without_a_form_sets_no_cookie() {
        client.get().uri("/no/such/path").exchange().expectCookie().doesNotExist("lb_form");
    }
}
