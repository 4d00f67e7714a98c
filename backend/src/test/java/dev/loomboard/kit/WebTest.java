package dev.loomboard.kit;

import dev.loomboard.kernel.Secret;
import dev.loomboard.web.FormToken;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.JsonNode;

/**
 * Base of every test that speaks HTTP: the whole service on a free port, started once per JVM and shared, so a test
 * makes rows of its own and never counts all there are.
 */
@OneAtATime
public abstract class WebTest extends DatabaseTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int MOST = 8 * 1024 * 1024;

    protected final Service service = Service.shared();
    protected final Cast cast = Cast.shared();
    protected final WebTestClient client = WebTestClient.bindToServer()
            .baseUrl(service.url())
            .responseTimeout(TIMEOUT)
            // Lists grow with all that the tests of one database leave behind.
            .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(MOST))
            .build();

    protected WebTest() {
        super(Service.shared().bean(DatabaseClient.class));
    }

    /** A client that sends what the role proves itself by; persons also send a valid form token. */
    protected final WebTestClient as(Cast.Role role) {
        return switch (role) {
            case ANONYMOUS -> client;
            case VIEWER -> browser(cast.viewerSession());
            case MEMBER -> browser(cast.memberSession());
            case OWNER -> browser(cast.ownerSession());
            case STRANGER -> browser(cast.strangerSession());
            case ADMINISTRATOR -> browser(cast.administratorSession());
            case AGENT -> bearer(cast.agentKey().value());
            case OTHER_AGENT -> bearer(cast.otherAgentKey().value());
            case TOKEN -> bearer(Service.BOOTSTRAP_TOKEN);
            case READ_TOKEN, RUN_TOKEN, REGISTER_TOKEN, SCHEDULE_TOKEN, ADMIN_TOKEN ->
                bearer(cast.token(role).value());
        };
    }

    protected final WebTestClient browser(Secret session) {
        String token = formToken(session);
        return client.mutate()
                .defaultCookie(FormToken.SESSION_COOKIE, session.value())
                .defaultHeader("X-Csrf-Token", token)
                .build();
    }

    protected final WebTestClient bearer(String secret) {
        return client.mutate()
                .defaultHeader(HttpHeaders.AUTHORIZATION, "Bearer " + secret)
                .build();
    }

    /** The page at {@code path}, parsed; fails unless the answer is 200. */
    protected final Document page(WebTestClient as, String path) {
        EntityExchangeResult<byte[]> result = as.get()
                .uri(path)
                .accept(MediaType.TEXT_HTML)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
        return document(result);
    }

    protected static Document document(EntityExchangeResult<byte[]> result) {
        byte[] body = result.getResponseBody();
        return Jsoup.parse(body == null ? "" : new String(body, java.nio.charset.StandardCharsets.UTF_8));
    }

    private String formToken(Secret session) {
        Document account = page(
                client.mutate()
                        .defaultCookie(FormToken.SESSION_COOKIE, session.value())
                        .build(),
                "/account");
        return account.select("input[name=_csrf]").attr("value"); // the first one's
    }

    /** A form as a browser without scripts sends it. */
    protected static WebTestClient.ResponseSpec form(WebTestClient as, String path, Map<String, String> fields) {
        var form = new LinkedMultiValueMap<String, String>();
        fields.forEach(form::add);
        return as.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .body(BodyInserters.fromFormData(form))
                .exchange();
    }

    protected static JsonNode json(WebTestClient.ResponseSpec answer) {
        return Objects.requireNonNull(
                answer.expectBody(JsonNode.class).returnResult().getResponseBody());
    }
}
