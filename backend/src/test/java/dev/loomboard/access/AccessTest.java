package dev.loomboard.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.FrontEnd;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Who is let in by what is sent besides a session, and what is refused whoever asks. */
final class AccessTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Test
    void only_a_bearer_is_looked_at_and_what_a_proxy_asked_for_is_its_own() {
        for (String other : new String[] {"Basic YTpi", "Digest username=\"a\"", "Bearers of bad news"}) {
            WebTestClient browser =
                    client.mutate().defaultHeader("Authorization", other).build();
            browser.get().uri("/api/health").exchange().expectStatus().isOk();
            browser.get().uri("/sign-in").exchange().expectStatus().isOk();
            browser.get()
                    .uri("/account")
                    .cookie("lb_session", cast.ownerSession().value())
                    .exchange()
                    .expectStatus()
                    .isOk();
        }
        for (String wrong : new String[] {"Bearer nonsense", "bearer", "Bearer  lba_" + "a".repeat(52)}) {
            health(wrong).expectStatus().isUnauthorized();
        }
        health("bearer " + Service.BOOTSTRAP_TOKEN).expectStatus().isOk();
    }

    private WebTestClient.ResponseSpec health(String authorization) {
        return client.get()
                .uri("/api/health")
                .header("Authorization", authorization)
                .exchange();
    }

    @Test
    void revoked_and_expired_tokens_are_unknown() {
        health("Bearer " + Service.BOOTSTRAP_TOKEN).expectStatus().isOk();
        for (String end : new String[] {"revoked_at = now()", "expires_at = now()"}) {
            Secret token = Secret.random("lbt");
            database.sql(
                            "insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes)"
                                    + " select :id, workspace_id, 'test', :hash, 'none', '{read}' from workspace where slug = 'main'")
                    .bind("id", ExternalId.random("tok").value())
                    .bind("hash", token.hash())
                    .then()
                    .block(TIMEOUT);
            health("Bearer " + token.value()).expectStatus().isOk();
            database.sql("update api_token set " + end + " where token_hash = :hash")
                    .bind("hash", token.hash())
                    .then()
                    .block(TIMEOUT);
            health("Bearer " + token.value())
                    .expectStatus()
                    .isUnauthorized()
                    .expectHeader()
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON);
        }
    }

    @Test
    void method_that_is_not_served_is_refused_as_that_and_told_what_is() {
        for (String method : new String[] {"TRACE", "PUT", "PURGE"}) {
            refused(method, "/leaderboard", Set.of(HttpMethod.GET, HttpMethod.HEAD));
            refused(method, "/api/v1/regressions?limit=", Set.of(HttpMethod.GET, HttpMethod.HEAD));
            refused(method, "/api/v1/runs", Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST));
            client.method(HttpMethod.valueOf(method))
                    .uri("/no/such/path")
                    .exchange()
                    .expectStatus()
                    .isNotFound();
        }
        refused("POST", "/leaderboard", Set.of(HttpMethod.GET, HttpMethod.HEAD));
    }

    private void refused(String method, String path, Set<HttpMethod> allowed) {
        var answer = client.method(HttpMethod.valueOf(method))
                .uri(path)
                .exchange()
                .expectBody()
                .returnResult();
        assertThat(answer.getStatus().value()).as(method + " " + path).isEqualTo(405);
        assertThat(answer.getResponseHeaders().getAllow())
                .as(method + " " + path)
                .isEqualTo(allowed);
    }

    @Test
    void address_that_proxies_read_in_different_ways_is_refused_with_a_problem() {
        for (String path :
                new String[] {"/api/v1/runs/a;b", "/api/v1/runs/a%2Fb", "/api/v1//runs", "/api/v1/runs/a%25b"}) {
            client.get()
                    .uri(URI.create(service.url() + path))
                    .exchange()
                    .expectStatus()
                    .isBadRequest()
                    .expectHeader()
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON);
        }
    }

    @Test
    void every_answer_carries_the_security_headers() {
        for (String path :
                new String[] {"/sign-in", FrontEnd.file("vendor/htmx.min.js"), "/no/such/path", "/api/none", "/account"
                }) {
            client.get()
                    .uri(path)
                    .exchange()
                    .expectHeader()
                    .value(
                            "Content-Security-Policy",
                            v -> assertThat(v).contains("script-src 'self';").doesNotContain("unsafe"))
                    .expectHeader()
                    .valueEquals("X-Content-Type-Options", "nosniff");
        }
    }
}
