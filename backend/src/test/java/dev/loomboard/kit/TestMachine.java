package dev.loomboard.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A machine registered as a real one is, with the inventory of the wire contract's example.
 *
 * @param id external id
 * @param key its agent's key
 */
public record TestMachine(String id, String slug, String key) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** In the default workspace. @param token may register machines */
    public static TestMachine registered(WebTestClient token, WebTestClient anybody, String visibility) {
        String name = "Bench " + NUMBER.incrementAndGet();
        JsonNode made = body(token.post()
                .uri("/api/v1/machines/registration-tokens")
                .bodyValue(Map.of("name", name, "visibility", visibility)));
        JsonNode registered = body(anybody.post()
                .uri("/api/agent/v1/register")
                .bodyValue(Map.of("token", made.get("token").asString(), "inventory", inventory())));
        return new TestMachine(
                registered.get("machineId").asString(),
                registered.get("machine").asString(),
                registered.get("agentKey").asString());
    }

    public static JsonNode inventory() {
        try {
            return JSON.readTree(Files.readString(Path.of("api/examples/inventory.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode body(WebTestClient.RequestHeadersSpec<?> request) {
        return Objects.requireNonNull(request.exchange()
                .expectStatus()
                .isCreated()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody());
    }
}
