package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.node.ObjectNode;

/** Base of the tests that upload to the running service: a planned trial of its own, and what is stored of it. */
abstract class UploadWebTest extends WebTest {

    private static final List<String> TABLES =
            List.of("batch", "sample_chunk", "load_window", "trial_phase", "step", "step_operation");

    PlannedTrial plan = PlannedTrial.random();

    @BeforeEach
    void plant() {
        plan = PlannedTrial.random();
        execute(plan.sql());
    }

    record Answer(int status, @Nullable Problem problem) {}

    /** Refused so, with nothing stored; and the service goes on. */
    final void refused(int status, @Nullable String field, Callable<Answer> call) {
        List<Long> before = TABLES.stream().map(this::count).toList();
        Map<String, Object> trial = trial();
        Answer answer;
        try {
            answer = call.call();
        } catch (Exception e) {
            throw new AssertionError("the call itself failed", e);
        }
        assertThat(answer.status()).as("%s", answer.problem()).isEqualTo(status);
        Problem problem = Objects.requireNonNull(answer.problem());
        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.errors().stream().map(Problem.FieldError::field))
                .isEqualTo(field == null ? List.of() : List.of(field));
        assertThat(TABLES.stream().map(this::count).toList())
                .as("rows after a refusal")
                .isEqualTo(before);
        assertThat(trial()).as("the trial after a refusal").isEqualTo(trial);
        client.get().uri("/api/health").exchange().expectStatus().isOk();
    }

    final int put(String example, Consumer<ObjectNode> change) throws IOException {
        return send(example, change).status();
    }

    final Answer send(String example, Consumer<ObjectNode> change) throws IOException {
        return send(plan.agentKey(), batch(example).get("seq").asInt(), gzip(own(example, change)), true, null);
    }

    final Answer send(Secret key, int seq, byte[] body, boolean gzip, @Nullable String sentAt) {
        var request = bearer(key.value()).put().uri(plan.path(seq)).contentType(MediaType.APPLICATION_JSON);
        if (gzip) {
            request.header(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        if (sentAt != null) {
            request.header("Loomboard-Sent-At", sentAt);
        }
        return answer(request.bodyValue(body).exchange());
    }

    static Answer answer(WebTestClient.ResponseSpec spec) {
        var result = spec.expectBody().returnResult();
        byte[] body = result.getResponseBody();
        if (body == null || body.length == 0) {
            return new Answer(result.getStatus().value(), null);
        }
        assertThat(result.getResponseHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
        ObjectNode problem = (ObjectNode) Examples.PLAIN.readTree(body);
        List<Problem.FieldError> errors = problem.path("errors")
                .valueStream()
                .map(e -> new Problem.FieldError(
                        e.get("field").asString(), e.get("message").asString()))
                .toList();
        return new Answer(
                result.getStatus().value(),
                new Problem(
                        problem.get("type").asString(),
                        problem.get("title").asString(),
                        problem.get("status").asInt(),
                        problem.path("detail").asString(""),
                        null,
                        errors,
                        null));
    }

    /** The example as a batch of this test's trial. */
    final byte[] own(String example, Consumer<ObjectNode> change) {
        return bytes(batch(example, b -> change.accept(b.put("trialId", plan.trial()))));
    }

    static byte[] gzip(byte[] body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(body);
        }
        return out.toByteArray();
    }

    final long count(String table) {
        return Long.parseLong(text("select count(*)::text from " + table, "trial_id"));
    }

    /** The single text of a query on one of the trial's tables. */
    final String text(String select, String andTrial) {
        return await(database.sql(select + " where " + andTrial + " = (select trial_id from trial where external_id = '"
                        + plan.trial() + "')")
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }

    final Map<String, Object> trial() {
        return await(database.sql("""
                        select state, phase, validity, reason, late, skew_ns, agent_version,
                               (started_at at time zone 'UTC')::text as began, start_facts ->> 'heapMiB' as heap,
                               end_facts ->> 'outcome' as outcome
                          from trial where external_id = :trial
                        """).bind("trial", plan.trial()).fetch().one());
    }
}
