package dev.loomboard.openid;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.loomboard.web.ProblemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** A provider that is away, slow, endless, or another. */
final class ProviderServiceTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern WORDS = Pattern.compile("Example does not answer correctly.*");

    private HttpServer server;
    private ProviderService service;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Answer answer = exchange -> {};

    private interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            answer.give(exchange);
        });
        server.start();
        service = service(server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        service.destroy();
        server.stop(0);
    }

    @Test
    void document_is_asked_for_once_and_what_failed_again() {
        answer = exchange -> send(exchange, 503, "{}");
        assertAway(service.document());
        answer = exchange -> send(exchange, 200, document(issuer()));
        ProviderDocument document = given(service.document());
        assertThat(document.token()).hasToString(issuer() + "/token");
        assertThat(given(service.document())).isEqualTo(document);
        assertThat(asked.get()).isEqualTo(2);
    }

    @Test
    void document_of_another_provider_is_refused() {
        answer = exchange -> send(exchange, 200, document("https://evil.example.org"));
        assertAway(service.document());
    }

    @Test
    void what_is_no_document_is_refused() {
        for (String body : new String[] {"", "<html>", "[]", "7", "null", "{", "{\"issuer\":null}"}) {
            answer = exchange -> send(exchange, 200, body);
            assertAway(service.document());
        }
    }

    @Test
    void redirects_are_not_followed() {
        answer = exchange -> {
            exchange.getResponseHeaders().set("Location", issuer() + "/elsewhere");
            send(exchange, 302, document(issuer()));
        };
        assertAway(service.document());
        assertThat(asked.get()).isEqualTo(1);
    }

    @Test
    void huge_document_is_read_no_further_than_the_bound() {
        answer = exchange -> send(exchange, 200, padded(ProviderService.MOST_BYTES + 1));
        assertAway(service.document());
        answer = exchange -> send(exchange, 200, padded(ProviderService.MOST_BYTES));
        assertThat(given(service.document())).isNotNull();
    }

    @Test
    void endless_document_is_cut_off() {
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] piece = new byte[8192];
            try (var out = exchange.getResponseBody()) {
                while (true) {
                    out.write(piece); // ends when the reader hangs up
                }
            } catch (IOException e) {
                asked.addAndGet(100);
            }
        };
        assertAway(service.document());
    }

    @Test
    void hanging_provider_is_given_up() {
        answer = exchange -> {}; // never answers
        assertAway(service.document());
    }

    @Test
    void provider_that_is_off_is_said_to_be_away() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            int port = free.getLocalPort();
            free.close();
            ProviderService off = service(port);
            assertAway(off.document());
            off.destroy();
        }
    }

    @Test
    void keys_that_cannot_be_read_are_none() {
        answer = exchange -> send(exchange, 200, document(issuer()));
        ProviderDocument document = given(service.document());
        answer = exchange -> send(exchange, 200, "{\"keys\":7}");
        assertAway(service.keys(document));
        answer = exchange -> send(exchange, 200, "{\"keys\":[{\"kty\":\"odd\"}]}");
        assertThat(given(service.keys(document)).isEmpty()).isTrue();
    }

    @Test
    void code_that_is_not_taken_is_told_from_a_client_that_is_not() {
        answer = exchange -> send(exchange, 200, document(issuer()));
        ProviderDocument document = given(service.document());
        answer = exchange -> send(exchange, 400, "{\"error\":\"invalid_grant\"}");
        assertThat(service.redeem(document, "c", "v", "r").block(PATIENCE)).isNull();
        answer = exchange -> send(exchange, 401, "{\"error\":\"invalid_client\"}");
        assertAway(service.redeem(document, "c", "v", "r"));
        answer = exchange -> send(exchange, 400, "<html>");
        assertAway(service.redeem(document, "c", "v", "r"));
        answer = exchange -> send(exchange, 200, "{\"access_token\":\"a\"}");
        assertAway(service.redeem(document, "c", "v", "r"));
    }

    private static void assertAway(Mono<?> mono) {
        Throwable failure = given(mono.materialize()).getThrowable();
        assertThat(failure).isInstanceOfSatisfying(ProblemException.class, problem -> {
            assertThat(problem.problem().status()).isEqualTo(503);
            assertThat(problem.problem().title()).matches(WORDS);
            assertThat(problem.problem().detail()).contains("sign in with your password");
        });
    }

    private static <T> T given(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE));
    }

    private static ProviderService service(int port) {
        Provider provider = Provider.of("http://localhost:" + port, "loomboard", "", "Example");
        return new ProviderService(provider, JsonMapper.builder().build(), Clock.systemUTC());
    }

    private String issuer() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private String document(String issuer) {
        return """
                {"issuer": "%s", "authorization_endpoint": "%s/authorize", "token_endpoint": "%2$s/token", "jwks_uri": "%2$s/keys"}""".formatted(issuer, issuer());
    }

    private String padded(int bytes) {
        String document = document(issuer());
        return document + " ".repeat(bytes - document.length());
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
