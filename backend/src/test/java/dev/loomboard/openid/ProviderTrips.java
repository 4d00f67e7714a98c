package dev.loomboard.openid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.ScriptedProvider;
import dev.loomboard.kit.ScriptedProvider.Says;
import dev.loomboard.kit.WebTest;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** Ways of browsers to the provider of the shared service and back. */
abstract class ProviderTrips extends WebTest {

    final ScriptedProvider provider = ScriptedProvider.shared();

    /** Somebody new at the provider. */
    final String subject = "person-" + People.email();

    final String email = People.email();

    /** Where the browser is sent that opens {@code path}. */
    final URI leave(Browser browser, String path) {
        return URI.create(Browser.location(browser.answer(path)));
    }

    final EntityExchangeResult<byte[]> signIn(Browser browser, Says says) {
        return browser.answer(provider.agree(leave(browser, "/sign-in/openid"), says));
    }

    final Says somebody() {
        return provider.person(subject, email);
    }

    /** Sends the form of {@code /account/openid} and goes where the page after it leads. */
    final EntityExchangeResult<byte[]> link(Browser browser, String password, Says says) {
        EntityExchangeResult<byte[]> sent =
                browser.send("/account/openid", "/account/openid", Map.of("password", password));
        assertThat(sent.getStatus().value()).isEqualTo(200);
        String to = Objects.requireNonNull(Browser.document(sent).selectFirst("main a.button"))
                .attr("href");
        return browser.answer(provider.agree(URI.create(to), says));
    }

    final EntityExchangeResult<byte[]> prove(Browser browser, String next, Says says) {
        return browser.answer(provider.agree(leave(browser, "/account/openid/prove?next=" + next), says));
    }

    /** As {@link #somebody}, by somebody whom the provider asked just now. */
    final Says askedAnew() {
        return provider.says(Map.of("sub", subject, "email", email, "auth_time", System.currentTimeMillis() / 1000));
    }

    static void assertSays(EntityExchangeResult<byte[]> result, int status, String... words) {
        assertThat(result.getStatus().value()).isEqualTo(status);
        assertThat(Browser.document(result).select("main").text()).contains(words);
    }

    final long accounts(String address) {
        return number("select count(*) from account where email = '" + address + "'");
    }

    final long identities(String address) {
        return number(
                "select count(*) from openid_identity join account using (account_id) where email = '" + address + "'");
    }

    final long audited(String address, String action) {
        return number("select count(*) from audit_event e join account a on a.external_id = e.subject where a.email = '"
                + address + "' and e.action = '" + action + "'");
    }
}
