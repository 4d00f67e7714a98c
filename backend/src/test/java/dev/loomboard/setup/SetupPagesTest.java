package dev.loomboard.setup;

import static dev.loomboard.kit.Browser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.WebTest;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The first administrator. */
final class SetupPagesTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Test
    void setup_link_works_once_and_only_until_there_is_an_administrator() {
        SetupService setup = service.bean(SetupService.class);
        Secret link =
                Objects.requireNonNull(setup.linkIfNeeded().block(TIMEOUT), "the shared service has an administrator");
        Secret other = Objects.requireNonNull(setup.linkIfNeeded().block(TIMEOUT));
        String email = "first-" + People.email();
        String path = "/setup/" + link.value();
        Browser here = new Browser(client, "203.0.113.85");
        assertThat(here.get(path).select("h1").text()).isEqualTo("First administrator");
        try {
            assertThat(location(here.send(
                            path, path, Map.of("email", email, "name", "First", "password", People.PASSWORD))))
                    .isEqualTo("/");
            assertThat(here.get("/account").text()).contains("First", email);
            assertThat(here.status(path)).isEqualTo(404);
            assertThat(here.status("/setup/" + other.value())).isEqualTo(404);
            assertThat(setup.linkIfNeeded().block(TIMEOUT)).isNull();
        } finally { // other tests of the shared service may want a link
            execute("update account set administrator = false where email = '" + email + "'");
        }
    }
}
