package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** Calls of one description's operations. Every answer is held against it, and so is every request that was accepted. */
final class Conversation {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Can send half a surrogate pair. */
    private static final JsonMapper ESCAPED =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final int REFUSED = 400;

    private final Contract contract;
    private final Set<String> answers = new TreeSet<>();

    Conversation(Contract contract) {
        this.contract = contract;
    }

    /** @param body null: it has none */
    record Answer(int status, @Nullable JsonNode body) {

        JsonNode json() {
            if (body == null) {
                throw new AssertionError("answer " + status + " has no body");
            }
            return body;
        }

        Answer expect(int wanted) {
            assertThat(status).as("status; the answer: %s", body).isEqualTo(wanted);
            return this;
        }
    }

    Contract contract() {
        return contract;
    }

    /** Answers seen, each as {@code PUT /api/… 204}. */
    Set<String> answers() {
        return answers;
    }

    /**
     * @param operation may end in a query
     * @param request null: no body
     */
    Answer call(WebTestClient as, String operation, @Nullable JsonNode request, Object... path) {
        Answer answer = send(as, operation, request, path);
        if (request != null && answer.status() < REFUSED) {
            assertThat(contract.requestProblems(described(operation), request))
                    .as("%s accepted a request that its description refuses: %s", operation, request)
                    .isEmpty();
        }
        return answer;
    }

    /** The same for a request that may be wrong on purpose. */
    Answer send(WebTestClient as, String operation, @Nullable JsonNode request, Object... path) {
        return sendBytes(as, operation, request == null ? null : ESCAPED.writeValueAsBytes(request), path);
    }

    /** The same for a body that may be no JSON at all. */
    Answer sendBytes(WebTestClient as, String operation, byte @Nullable [] request, Object... path) {
        int space = operation.indexOf(' ');
        WebTestClient.RequestBodySpec spec =
                as.method(HttpMethod.valueOf(operation.substring(0, space))).uri(operation.substring(space + 1), path);
        return exchanged(
                operation,
                request == null
                        ? spec
                        : spec.contentType(MediaType.APPLICATION_JSON).bodyValue(request));
    }

    /** A body that is a file, with its digest. */
    Answer sendFile(WebTestClient as, String operation, byte[] file, String sha256, Object... path) {
        int space = operation.indexOf(' ');
        return exchanged(
                operation,
                as.method(HttpMethod.valueOf(operation.substring(0, space)))
                        .uri(operation.substring(space + 1), path)
                        .contentType(MediaType.APPLICATION_OCTET_STREAM)
                        .header("Loomboard-Sha256", sha256)
                        .bodyValue(file));
    }

    private Answer exchanged(String operation, WebTestClient.RequestHeadersSpec<?> request) {
        return checked(described(operation), request.exchange().expectBody().returnResult());
    }

    private Answer checked(String operation, EntityExchangeResult<byte[]> result) {
        byte[] bytes = result.getResponseBody();
        int status = result.getStatus().value();
        MediaType type = result.getResponseHeaders().getContentType();
        JsonNode body = bytes == null || bytes.length == 0 ? null : body(type, bytes);
        String typeName = type == null ? null : type.getType() + "/" + type.getSubtype();
        assertThat(contract.answerProblems(operation, status, typeName, body))
                .as("answer %s of %s: %s", status, operation, body)
                .isEmpty();
        answers.add(operation + " " + status);
        return new Answer(status, body);
    }

    /** What is no JSON is one text. */
    private static JsonNode body(@Nullable MediaType type, byte[] bytes) {
        boolean json = type != null && type.getSubtype().endsWith("json");
        return json ? JSON.readTree(bytes) : StringNode.valueOf(new String(bytes, StandardCharsets.UTF_8));
    }

    private static String described(String operation) {
        int query = operation.indexOf('?');
        return query < 0 ? operation : operation.substring(0, query);
    }
}
