package dev.loomboard.openid;

import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.ECKey;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.ScriptedProvider;
import dev.loomboard.kit.ScriptedProvider.Says;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** Answers that are not the provider's, not this browser's, or not for this service. */
final class OpenIdAttacksTest extends ProviderTrips {

    private final Browser browser = new Browser(client, "203.0.113.90");

    @Test
    void answer_is_good_once() {
        String back = provider.agree(leave(browser, "/sign-in/openid"), somebody());
        String cookie = browser.cookie("lb_openid");
        assertThat(location(browser.answer(back))).isEqualTo("/");
        assertSays(browser.answer(back), 400, "did not begin in this browser");
        assertSays(replayed(back, cookie), 400, "This sign-in is over");
    }

    /** That a code is good once is the provider's doing: here it gives another one for the same visit. */
    @Test
    void visit_is_good_once_whatever_code_comes_with_it() {
        URI leaving = leave(browser, "/sign-in/openid");
        String cookie = browser.cookie("lb_openid");
        assertThat(location(browser.answer(provider.agree(leaving, somebody()))))
                .isEqualTo("/");
        assertSays(replayed(provider.agree(leaving, somebody()), cookie), 400, "This sign-in is over");
    }

    private EntityExchangeResult<byte[]> replayed(String back, String cookie) {
        return client.get()
                .uri(back)
                .cookie("lb_openid", cookie)
                .exchange()
                .expectBody()
                .returnResult();
    }

    @Test
    void answer_that_another_browser_began_is_refused_and_takes_nothing_away() {
        Browser attacker = new Browser(client, "203.0.113.91");
        String planted = provider.agree(leave(attacker, "/sign-in/openid"), somebody());
        assertSays(browser.answer(planted), 400, "did not begin in this browser");
        String own = provider.agree(leave(browser, "/sign-in/openid"), somebody());
        assertSays(browser.answer(planted), 400, "did not begin in this browser");
        assertThat(location(browser.answer(own))).isEqualTo("/");
    }

    @Test
    void answer_that_comes_too_late_or_is_made_up_is_refused() {
        String back = provider.agree(leave(browser, "/sign-in/openid?next=/late"), somebody());
        execute("update openid_visit set expires_at = now() where next = '/late'");
        assertSays(browser.answer(back), 400, "This sign-in is over");
        for (String made : List.of("", "?state=", "?code=x", "?state=x&code=x", "?error=access_denied&state=x")) {
            assertSays(browser.answer("/sign-in/openid/callback" + made), 400, "did not begin in this browser");
        }
        String withoutCode =
                provider.agree(leave(browser, "/sign-in/openid"), somebody()).replaceFirst("code=[^&]+&", "");
        assertSays(browser.answer(withoutCode), 403, "it has no code");
    }

    @Test
    void code_is_good_once_and_only_for_the_visit_that_it_was_made_for() {
        String victims = provider.agree(leave(browser, "/sign-in/openid"), somebody());
        Browser attacker = new Browser(client, "203.0.113.92");
        URI leaving = leave(attacker, "/sign-in/openid");
        String state = ScriptedProvider.query(leaving.getRawQuery()).get("state");
        String stolen = victims.replaceFirst("state=.*", "state=" + state);
        assertSays(attacker.answer(stolen), 400, "This sign-in is over");
        assertThat(attacker.status("/account")).isEqualTo(303);
        assertSays(browser.answer(victims), 400, "This sign-in is over");
        assertThat(accounts(email)).isZero();
    }

    @Test
    void redirect_address_is_the_services_own_whatever_the_request_says() {
        EntityExchangeResult<byte[]> answer = client.get()
                .uri("/sign-in/openid")
                .header("X-Forwarded-Host", "evil.example.org")
                .header("X-Forwarded-Proto", "http")
                .exchange()
                .expectBody()
                .returnResult();
        URI leaving = URI.create(location(answer));
        assertThat(ScriptedProvider.query(leaving.getRawQuery()))
                .containsEntry("redirect_uri", service.url() + "/sign-in/openid/callback");
        EntityExchangeResult<byte[]> tampered = client.get()
                .uri("/sign-in/openid?redirect_uri=https://evil.example.org")
                .exchange()
                .expectBody()
                .returnResult();
        assertThat(location(tampered)).doesNotContain("evil");
    }

    @Test
    void token_that_is_not_for_this_sign_in_lets_nobody_in() {
        assertUntrusted(Map.of("nonce", "another"), "another sign-in");
        assertUntrusted(Map.of("aud", "another"), "another service");
        assertUntrusted(Map.of("azp", "another"), "another service");
        assertUntrusted(Map.of("iss", "https://evil.example.org"), "another provider");
        assertUntrusted(Map.of("exp", System.currentTimeMillis() / 1000 - 3600), "expired");
        assertUntrusted(Map.of("iat", System.currentTimeMillis() / 1000 - 3600), "not made just now");
    }

    private void assertUntrusted(Map<String, Object> claims, String why) {
        Map<String, Object> all = new HashMap<>(somebody().token());
        all.putAll(claims);
        assertSays(signIn(browser, provider.says(all)), 403, "was not accepted", why);
        assertThat(browser.status("/account")).isEqualTo(303);
        assertThat(accounts(email)).isZero();
    }

    @Test
    void answer_that_names_another_provider_is_refused() {
        String back = provider.agree(leave(browser, "/sign-in/openid"), somebody());
        assertSays(browser.answer(back + "&iss=https://evil.example.org"), 403, "from another provider");
        String named = provider.agree(leave(browser, "/sign-in/openid"), somebody());
        assertThat(location(browser.answer(named + "&iss=" + provider.issuer())))
                .isEqualTo("/");
    }

    /** One test, since the keys are asked for again once a minute. */
    @Test
    void other_key_is_the_providers_only_if_it_publishes_it() {
        signIn(browser, somebody());
        ECKey foreign = ScriptedProvider.key("foreign");
        ECKey next = ScriptedProvider.key("next");
        provider.publish(next);
        Says byForeign = new Says(somebody().token(), Map.of(), foreign);
        Browser attacker = new Browser(client, "203.0.113.93");
        assertSays(signIn(attacker, byForeign), 403, "a key that is not the provider's");
        int asked = provider.keyQuestions();
        for (int i = 0; i < 3; i++) {
            assertSays(signIn(attacker, byForeign), 403, "a key that is not the provider's");
        }
        assertThat(provider.keyQuestions())
                .as("strangers do not make it ask again")
                .isEqualTo(asked);
        Says byNext = new Says(somebody().token(), Map.of(), next);
        assertThat(location(signIn(new Browser(client, "203.0.113.94"), byNext)))
                .isEqualTo("/");
        Says sameName = new Says(somebody().token(), Map.of(), ScriptedProvider.key("first"));
        assertSays(signIn(attacker, sameName), 403, "its signature is wrong");
    }

    @Test
    void one_address_begins_so_many_visits_and_no_more() {
        Browser busy = new Browser(client, "203.0.113.95");
        for (int i = 0; i < VisitThrottle.PER_ADDRESS; i++) {
            leave(busy, "/sign-in/openid?next=/busy");
        }
        assertSays(busy.answer("/sign-in/openid"), 429, "Too many sign-ins");
        execute("delete from openid_visit where next = '/busy'");
    }

    @Test
    void secrets_of_a_visit_are_not_in_the_database_and_not_in_the_address() {
        URI leaving = leave(browser, "/sign-in/openid?next=/seen");
        String cookie = browser.cookie("lb_openid");
        assertThat(leaving.toString()).doesNotContain(cookie).doesNotContain("verifier");
        assertThat(number("select count(*) from openid_visit v where v.next = '/seen' and v::text like '%" + cookie
                        + "%'"))
                .isZero();
    }
}
