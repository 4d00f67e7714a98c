package dev.loomboard.signin;

import static dev.loomboard.kit.Cast.Role.OWNER;
import static dev.loomboard.kit.Cast.Role.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.People;
import dev.loomboard.kit.Browser;
import dev.loomboard.kit.WebTest;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A form is taken only from the browser that was given it, and from no other site. */
final class FormTokenPagesTest extends WebTest {

    @Test
    void form_without_its_token_or_from_another_site_is_refused() {
        Browser here = new Browser(client, "203.0.113.84");
        String email = People.person();
        for (String token : new String[] {"", "forged", "A".repeat(86)}) { // the last is as long as a token
            Map<String, String> form = Map.of("email", email, "password", People.PASSWORD, "_csrf", token);
            assertThat(here.send("/sign-in", "/sign-in", form).getStatus().value())
                    .as(token)
                    .isEqualTo(403);
        }
        as(OWNER)
                .mutate()
                .defaultHeaders(h -> h.remove("X-Csrf-Token"))
                .build()
                .post()
                .uri("/account/password")
                .exchange()
                .expectStatus()
                .isForbidden();
        as(OWNER)
                .post()
                .uri("/account/password")
                .header("Sec-Fetch-Site", "cross-site")
                .exchange()
                .expectStatus()
                .isForbidden();
    }

    @Test
    void form_token_is_of_one_browser_alone_and_the_refusal_is_a_page_with_a_good_one() {
        String other =
                page(as(STRANGER), "/account").select("input[name=_csrf]").attr("value");
        WebTestClient owner = as(OWNER);
        Document refused = document(owner.mutate()
                .defaultHeaders(h -> h.set("X-Csrf-Token", other))
                .build()
                .post()
                .uri("/account/password")
                .exchange()
                .expectStatus()
                .isForbidden()
                .expectBody()
                .returnResult());
        assertThat(refused.text()).contains("This form is out of date");
        String good = refused.select("input[name=_csrf]").attr("value");
        owner.mutate()
                .defaultHeaders(h -> h.set("X-Csrf-Token", good))
                .build()
                .post()
                .uri("/account/password")
                .exchange()
                .expectStatus()
                .isEqualTo(422);
    }
}
