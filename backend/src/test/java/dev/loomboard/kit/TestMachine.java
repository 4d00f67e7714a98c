package dev.loomboard.kit;

import dev.loomboard.kernel.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A machine registered as a real one is, with the inventory of the wire contract's example.
 *
 * @param id external id
 * @param key its agent's key
 */
public record TestMachine(String id, String slug, String key) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /**
     * In the default workspace.
     *
     * @param token may register machines
     */
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

    /** A build of an inventory with an identity that follows from its other fields, as an agent makes it. */
    public static ObjectNode identified(ObjectNode jdk) {
        ObjectNode lineage = (ObjectNode) jdk.get("lineage");
        String compiler = lineage.get("compiler").asString();
        lineage.put(
                "hash",
                digest(
                        lineage.get("vendor").asString(),
                        compiler.contains(".") ? compiler.substring(0, compiler.indexOf('.')) : compiler,
                        lineage.get("libc").asString(),
                        lineage.get("debugLevel").asString(),
                        String.valueOf(!lineage.get("cds").isEmpty())));
        return jdk.put(
                "identity",
                digest(
                        lineage.get("vendor").asString(),
                        jdk.get("runtimeVersion").asString(),
                        jdk.get("architecture").asString(),
                        jdk.get("modulesSha256").asString(),
                        jdk.get("libjvmSha256").asString()));
    }

    private static String digest(String... parts) {
        return HexFormat.of().formatHex(Digest.sha256(String.join("\0", parts).getBytes(StandardCharsets.UTF_8)));
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
