package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.bytes;
import static dev.loomboard.ingest.Examples.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Secret;
import dev.loomboard.web.StrictJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Uploads to the running service: what is stored, what is refused, and that a refusal stores nothing. */
final class UploadTest extends WebTest {

    private static final List<String> TABLES = List.of("batch", "sample_chunk", "load_window", "trial_phase", "step");

    private PlannedTrial plan = PlannedTrial.random();

    @BeforeEach
    void plant() {
        plan = PlannedTrial.random();
        execute(plan.sql());
    }

    // ---- what is stored

    @Test
    void whole_trial_is_stored_as_it_was_sent() throws IOException {
        assertThat(put("first", b -> {})).isEqualTo(204);
        assertThat(trial()).containsEntry("state", "running").containsEntry("phase", "start");
        assertThat(put("middle", b -> {})).isEqualTo(204);
        assertThat(trial()).containsEntry("state", "running").containsEntry("phase", "measure");
        assertThat(put("last", b -> {})).isEqualTo(204);
        assertThat(trial())
                .containsEntry("state", "done")
                .containsEntry("phase", "collect")
                .containsEntry("validity", "valid")
                .containsEntry("late", false)
                .containsEntry("agent_version", "0.1.0")
                .containsEntry("began", "2026-11-21 02:55:00.123457") // PostgreSQL keeps µs
                .containsEntry("heap", "512")
                .containsEntry("outcome", "done");
        assertThat(text("select string_agg(phase, ' ' order by at_ns) from trial_phase", "trial_id"))
                .isEqualTo("provision start gc settle measure stop collect");
        assertThat(text(
                        "select value::text || at_ns::text from sample_chunk",
                        "metric = 'proc.cpu_user_s' and seq = 1 and trial_id"))
                .isEqualTo("{6.5,6.5,6.51,7.02}{19000000000,20000000000,20360000000,21000000000}");
        assertThat(text(
                        "select value::text from sample_chunk",
                        "metric = 'jvm.heap_used_bytes' and seq = 0 and trial_id"))
                .isEqualTo("{NULL,NULL}");
        Hdr service = new Hdr(batch("middle").at("/windows/0/service").asString());
        Hdr failed = new Hdr(batch("middle").at("/windows/0/serviceFailed").asString());
        assertThat(text("select encode(service, 'base64') from load_window", "trial_id")
                        .replace("\n", ""))
                .isEqualTo(service.text());
        assertThat(text("select service_p99_ns::text from load_window", "trial_id"))
                .isEqualTo("" + Hdr.merged(service, failed).getValueAtPercentile(99));
        assertThat(text(
                        "select cause || ' ' || (outcomes ->> 'bytesIn') || ' ' || (service_failed is null) from step",
                        "trial_id"))
                .isEqualTo("server saturated 2000 true");
    }

    @Test
    void trial_ends_with_whichever_batch_comes_last() throws IOException {
        assertThat(put("last", b -> {})).isEqualTo(204);
        assertThat(put("first", b -> {})).isEqualTo(204);
        assertThat(trial()).containsEntry("state", "running");
        assertThat(put("middle", b -> {})).isEqualTo(204);
        assertThat(trial()).containsEntry("state", "done").containsEntry("phase", "collect");
    }

    @Test
    void phase_never_goes_back_whether_a_heartbeat_or_a_batch_tells_of_it() throws IOException {
        beat("measure");
        assertThat(trial()).containsEntry("phase", "measure");
        assertThat(put("first", b -> {})).isEqualTo(204); // knows of start only
        assertThat(trial()).containsEntry("phase", "measure");
        assertThat(put("middle", b -> {})).isEqualTo(204);
        beat("settle"); // said before the batch, heard after it
        assertThat(trial()).containsEntry("phase", "measure");
        beat("stop");
        assertThat(trial()).containsEntry("phase", "stop");
        assertThat(put("last", b -> {})).isEqualTo(204);
        assertThat(trial()).containsEntry("phase", "collect");
    }

    @Test
    void validity_is_that_of_the_worst_step_and_says_why() throws IOException {
        assertThat(put("first", b -> {})).isEqualTo(204);
        assertThat(put("middle", b -> {})).isEqualTo(204);
        assertThat(put("last", b -> {
                    ObjectNode worse = object(b, "/steps/0").deepCopy().put("ordinal", 1);
                    object(worse, "/health").put("validity", "invalid").put("reason", "the generator was late");
                    array(b, "/steps").add(worse);
                }))
                .isEqualTo(204);
        assertThat(trial()).containsEntry("validity", "invalid").containsEntry("reason", "the generator was late");
    }

    @Test
    void skew_is_what_the_sender_says_of_its_clock_and_unknown_otherwise() throws IOException {
        assertThat(put("first", b -> {})).isEqualTo(204);
        assertThat(trial().get("skew_ns")).isNull();
        plant();
        String ahead = Instant.now().plusSeconds(3600).toString();
        assertThat(send(plan.agentKey(), 0, gzip(own("first", b -> {})), true, ahead)
                        .status())
                .isEqualTo(204);
        assertThat((Long) Objects.requireNonNull(trial().get("skew_ns")))
                .isBetween(3_000_000_000_000L, 3_700_000_000_000L);
    }

    @Test
    void uncompressed_batch_is_accepted() {
        assertThat(send(plan.agentKey(), 0, own("first", b -> {}), false, null).status())
                .isEqualTo(204);
    }

    @Test
    void random_batches_come_back_as_they_were_sent() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        assertThat(put("first", b -> {})).isEqualTo(204);
        for (int seq = 1; seq <= 12; seq++) {
            ObjectNode sent = randomBatch(random, seq);
            assertThat(send(plan.agentKey(), seq, gzip(bytes(sent)), true, null).status())
                    .as("seed %d: %s", seed, sent)
                    .isEqualTo(204);
            BatchReader.Sound read =
                    (BatchReader.Sound) new BatchReader(StrictJson.mapper()).read(plan.trial(), "" + seq, bytes(sent));
            Ticks ticks = Objects.requireNonNull(read.batch().ticks());
            for (Map.Entry<String, List<@Nullable Double>> column :
                    ticks.columns().entrySet()) {
                Double[] stored = Objects.requireNonNull(database.sql(
                                "select value from sample_chunk join trial using (trial_id) where external_id = :t and seq = :s and metric = :m")
                        .bind("t", plan.trial())
                        .bind("s", seq)
                        .bind("m", column.getKey())
                        .map(row -> row.get(0, Double[].class))
                        .one()
                        .block());
                assertThat(Arrays.asList(stored)).as("seed %d", seed).isEqualTo(column.getValue());
            }
            for (Window window : read.batch().windows()) {
                assertThat(text(
                                        "select encode(response, 'base64') from load_window",
                                        "at_ns = " + window.atNs() + " and trial_id")
                                .replace("\n", ""))
                        .as("seed %d", seed)
                        .isEqualTo(window.response().text());
            }
        }
    }

    // ---- again, other, late, never

    @Test
    void same_batch_again_is_accepted_and_changes_nothing() throws IOException {
        for (String name : List.of("first", "middle", "last", "middle", "last", "first")) {
            assertThat(put(name, b -> {})).isEqualTo(204);
        }
        assertThat(count("batch")).isEqualTo(3);
        assertThat(count("load_window")).isEqualTo(1);
        assertThat(count("step")).isEqualTo(1);
        assertThat(trial()).containsEntry("state", "done");
    }

    @Test
    void same_batch_many_times_at_once_is_stored_once() throws Exception {
        byte[] body = gzip(own("first", b -> {}));
        try (var pool = Executors.newFixedThreadPool(8)) {
            List<Future<Integer>> answers = pool.invokeAll(IntStream.range(0, 16)
                    .mapToObj(i -> (Callable<Integer>)
                            () -> send(plan.agentKey(), 0, body, true, null).status())
                    .toList());
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(204);
            }
        }
        assertThat(count("batch")).isEqualTo(1);
    }

    @Test
    void other_content_for_a_stored_number_is_a_conflict() throws IOException {
        assertThat(put("middle", b -> {})).isEqualTo(204);
        refused(409, null, () -> send("middle", b -> array(b, "/ticks/lateNs").set(0, 1)));
    }

    @Test
    void superseded_lease_adds_late_data_and_changes_no_state() throws IOException {
        assertThat(put("first", b -> {})).isEqualTo(204);
        execute("update run set fencing = 2 where external_id = '" + plan.run() + "'");
        execute("update trial set state = 'aborted' where external_id = '" + plan.trial() + "'");
        assertThat(put("middle", b -> {})).isEqualTo(204);
        assertThat(put("last", b -> {})).isEqualTo(204);
        assertThat(trial()).containsEntry("state", "aborted").containsEntry("late", true);
        assertThat(trial().get("validity")).isNull();
        assertThat(text("select string_agg(late::text, ' ' order by seq) from batch", "trial_id"))
                .isEqualTo("false true true");
        assertThat(count("step")).isEqualTo(1);
        refused(410, null, () -> send(plan.agentKey(), 3, gzip(own("middle", b -> b.put("seq", 3))), true, null));
    }

    @Test
    void run_that_is_over_takes_only_late_data() throws IOException {
        execute("update run set state = 'failed' where external_id = '" + plan.run() + "'");
        assertThat(put("first", b -> {})).isEqualTo(204);
        assertThat(trial()).containsEntry("state", "planned").containsEntry("late", true);
    }

    @Test
    void lease_that_is_not_the_trials_is_refused() {
        refused(422, "fencing", () -> send("middle", b -> b.put("fencing", 2)));
    }

    @Test
    void sealed_trial_takes_no_more() throws IOException {
        for (String name : List.of("first", "middle", "last")) {
            assertThat(put(name, b -> {})).isEqualTo(204);
        }
        refused(410, null, () -> send(plan.agentKey(), 3, gzip(own("middle", b -> b.put("seq", 3))), true, null));
    }

    @Test
    void number_beyond_the_end_is_gone_and_an_end_before_the_last_is_refused() throws IOException {
        assertThat(put("last", b -> {})).isEqualTo(204);
        refused(410, null, () -> send(plan.agentKey(), 9, gzip(own("middle", b -> b.put("seq", 9))), true, null));
        refused(422, "end", () -> send("middle", b -> b.set("end", lastEnd(2))));
        plant();
        assertThat(send(plan.agentKey(), 5, gzip(own("middle", b -> b.put("seq", 5))), true, null)
                        .status())
                .isEqualTo(204);
        refused(422, "end.batches", () -> send("last", b -> {}));
    }

    @Test
    void second_or_step_that_another_batch_has_is_refused_whole() throws IOException {
        assertThat(put("middle", b -> {})).isEqualTo(204);
        refused(422, "windows", () -> send(plan.agentKey(), 4, gzip(own("middle", b -> b.put("seq", 4))), true, null));
        assertThat(put("last", b -> b.remove("end"))).isEqualTo(204);
        refused(
                422,
                "steps",
                () -> send(
                        plan.agentKey(),
                        4,
                        gzip(own("last", b -> {
                            b.put("seq", 4);
                            b.remove("end");
                        })),
                        true,
                        null));
    }

    // ---- who

    @Test
    void stranger_gets_no_further_than_the_door() throws IOException {
        byte[] body = gzip(own("first", b -> {}));
        refused(401, null, () -> send(Secret.random("lba"), 0, body, true, null));
        refused(
                401,
                null,
                () -> answer(client.put()
                        .uri(plan.path(0))
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(body)
                        .exchange()));
        PlannedTrial other = PlannedTrial.random();
        execute(other.sql());
        refused(410, null, () -> send(other.agentKey(), 0, body, true, null));
        execute("update machine set agent_key_hash = null, revoked_at = now() where external_id = '" + other.machine()
                + "'");
        refused(401, null, () -> send(other.agentKey(), 0, body, true, null));
    }

    @Test
    void unknown_trial_is_gone() throws IOException {
        execute("delete from trial where external_id = '" + plan.trial() + "'");
        assertThat(put("first", b -> {})).isEqualTo(410);
    }

    // ---- what is not a batch

    @Test
    void body_that_cannot_be_read_is_refused() throws IOException {
        byte[] whole = gzip(own("first", b -> {}));
        refused(400, null, () -> send(plan.agentKey(), 0, Arrays.copyOf(whole, whole.length - 12), true, null));
        refused(400, null, () -> send(plan.agentKey(), 0, own("first", b -> {}), true, null)); // said to be gzip
        refused(400, null, () -> send(plan.agentKey(), 0, whole, false, null)); // not said to be gzip
        refused(
                400,
                null,
                () -> send(plan.agentKey(), 0, gzip("{\"schema\":".getBytes(StandardCharsets.UTF_8)), true, null));
        refused(422, "(body)", () -> send(plan.agentKey(), 0, gzip(new byte[0]), true, null));
        refused(422, "(body)", () -> send(plan.agentKey(), 0, new byte[0], false, null));
        refused(422, "(body)", () -> send(plan.agentKey(), 0, gzip("[]".getBytes(StandardCharsets.UTF_8)), true, null));
        refused(
                415,
                null,
                () -> answer(bearer(plan.agentKey().value())
                        .put()
                        .uri(plan.path(0))
                        .contentType(MediaType.TEXT_PLAIN)
                        .bodyValue(whole)
                        .exchange()));
    }

    @Test
    void body_that_is_too_large_is_refused() throws IOException {
        byte[] noise = new byte[4 * 1024 * 1024 + 1];
        new Random(1).nextBytes(noise);
        refused(413, null, () -> send(plan.agentKey(), 0, noise, true, null));
        refused(413, null, () -> send(plan.agentKey(), 0, noise, false, null));
        byte[] bomb = new byte[33 * 1024 * 1024];
        Arrays.fill(bomb, (byte) ' ');
        refused(413, null, () -> send(plan.agentKey(), 0, gzip(bomb), true, null));
    }

    @Test
    void wrong_field_is_named() {
        refused(422, "seq", () -> send(plan.agentKey(), 7, gzip(own("first", b -> {})), true, null));
        refused(422, "trialId", () -> send("first", b -> b.put("trialId", Examples.TRIAL)));
        refused(422, "extra", () -> send("first", b -> b.put("extra", true)));
        refused(
                422,
                "windows[0].service",
                () -> send("middle", b -> object(b, "/windows/0").put("service", "rubbish!")));
        refused(
                422,
                "ticks.columns.proc.rss_bytes",
                () -> send(
                        "first", b -> array(b, "/ticks/columns/proc.rss_bytes").add(1)));
        refused(
                422,
                "start.commandLine[0]",
                () -> send("first", b -> array(b, "/start/commandLine").set(0, Examples.PLAIN.valueToTree("\0"))));
        refused(
                422,
                "Loomboard-Sent-At",
                () -> send(plan.agentKey(), 0, gzip(own("first", b -> {})), true, "yesterday"));
    }

    // ---- plumbing

    private record Answer(int status, @Nullable Problem problem) {}

    /** Refused so, with nothing stored; and the service goes on. */
    private void refused(int status, @Nullable String field, Callable<Answer> call) {
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

    private void beat(String phase) {
        execute(
                "update run set spec = (select m.spec from matrix m where m.slug = 'quick' limit 1) where external_id = '"
                        + plan.run() + "'");
        bearer(plan.agentKey().value())
                .post()
                .uri("/api/agent/v1/runs/" + plan.run() + "/heartbeat")
                .bodyValue(Map.of("fencing", 1, "trialId", plan.trial(), "phase", phase, "done", 0, "total", 1))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
    }

    private int put(String example, Consumer<ObjectNode> change) throws IOException {
        return send(example, change).status();
    }

    private Answer send(String example, Consumer<ObjectNode> change) throws IOException {
        return send(plan.agentKey(), batch(example).get("seq").asInt(), gzip(own(example, change)), true, null);
    }

    private Answer send(Secret key, int seq, byte[] body, boolean gzip, @Nullable String sentAt) {
        var request = bearer(key.value()).put().uri(plan.path(seq)).contentType(MediaType.APPLICATION_JSON);
        if (gzip) {
            request.header(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        if (sentAt != null) {
            request.header("Loomboard-Sent-At", sentAt);
        }
        return answer(request.bodyValue(body).exchange());
    }

    private static Answer answer(org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec spec) {
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
                        errors));
    }

    /** The example as a batch of this test's trial. */
    private byte[] own(String example, Consumer<ObjectNode> change) {
        return bytes(batch(example, b -> change.accept(b.put("trialId", plan.trial()))));
    }

    private static ObjectNode lastEnd(int batches) {
        return object(batch("last"), "/end").put("batches", batches);
    }

    private ObjectNode randomBatch(Random random, int seq) {
        ObjectNode batch = batch("middle").put("trialId", plan.trial()).put("seq", seq);
        batch.remove("phases");
        int ticks = random.nextInt(1, 40);
        ArrayNode at = Examples.PLAIN.createArrayNode();
        ArrayNode late = Examples.PLAIN.createArrayNode();
        long time = seq * 100_000_000_000L;
        for (int i = 0; i < ticks; i++) {
            at.add(time += random.nextLong(1, 2_000_000_000L));
            late.add(random.nextLong(1_000_000L));
        }
        ObjectNode columns = Examples.PLAIN.createObjectNode();
        for (String metric : List.of("proc.rss_bytes", "jvm.gc_pause_s", "host.steal_s", "jvm.heap_used_bytes")) {
            ArrayNode values = columns.putArray(metric);
            for (int i = 0; i < ticks; i++) {
                switch (random.nextInt(4)) {
                    case 0 -> values.addNull();
                    case 1 -> values.add(random.nextLong(1L << 53));
                    case 2 -> values.add(0);
                    default -> values.add(random.nextGaussian() * Math.pow(10, random.nextInt(-20, 20)));
                }
            }
        }
        batch.putObject("ticks").set("atNs", at).set("lateNs", late).set("columns", columns);
        ArrayNode windows = batch.putArray("windows");
        for (int i = random.nextInt(5); i >= 0; i--) {
            windows.add(randomWindow(random, seq * 100_000_000_000L + i * 1_000_000_000L));
        }
        return batch;
    }

    private static ObjectNode randomWindow(Random random, long at) {
        Histogram histogram = new Histogram(1, Hdr.HIGHEST, Hdr.DIGITS);
        int hits = random.nextInt(200);
        for (int i = 0; i < hits; i++) {
            histogram.recordValue(random.nextLong(Hdr.HIGHEST));
        }
        String blob = HdrTest.encoded(histogram);
        return Examples.PLAIN
                .createObjectNode()
                .put("phase", "measure")
                .put("step", random.nextInt(5))
                .put("atNs", at)
                .put("intended", hits)
                .put("sent", hits)
                .put("completed", hits)
                .put("failed", 0)
                .put("service", blob)
                .put("response", blob)
                .put("lag", blob);
    }

    private static byte[] gzip(byte[] body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(body);
        }
        return out.toByteArray();
    }

    private void execute(String sql) {
        database.sql(sql).then().block();
    }

    private long count(String table) {
        return Long.parseLong(text("select count(*)::text from " + table, "trial_id"));
    }

    /** The single text of a query on one of the trial's tables. */
    private String text(String select, String andTrial) {
        return Objects.requireNonNull(database.sql(select + " where " + andTrial
                        + " = (select trial_id from trial where external_id = '" + plan.trial() + "')")
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one()
                .block());
    }

    private Map<String, Object> trial() {
        return Objects.requireNonNull(
                database.sql("""
                        select state, phase, validity, reason, late, skew_ns, agent_version,
                               (started_at at time zone 'UTC')::text as began, start_facts ->> 'heapMiB' as heap,
                               end_facts ->> 'outcome' as outcome
                          from trial where external_id = :trial
                        """).bind("trial", plan.trial()).fetch().one().block());
    }
}
