package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What is stored of uploads to the running service, once, again and late. */
final class UploadTest extends UploadWebTest {

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
        String service = batch("middle").at("/windows/0/service").asString();
        assertThat(text("select encode(service, 'base64') from load_window", "trial_id")
                        .replace("\n", ""))
                .isEqualTo(service);
        assertThat(text("select service_p99_ns::text from load_window", "trial_id"))
                .isEqualTo("993525759"); // two of 1000 failed: last
        assertThat(text(
                        "select cause || ' ' || (outcomes ->> 'bytesIn') || ' ' || (service_failed is null) from step",
                        "trial_id"))
                .isEqualTo("server saturated 2000 true");
    }

    @Test
    void closed_load_is_stored_without_response_and_an_open_one_is_not_taken_for_it() throws IOException {
        refused(422, "windows[0].response", () -> send("closed", b -> {}));
        refused(422, "steps[0].connections", () -> send("closed", b -> b.remove("windows")));
        execute(
                "update cell set load = '{\"profile\": \"closed\", \"connections\": 50, \"seconds\": 1}' where cell_id = "
                        + "(select cell_id from trial where external_id = '" + plan.trial() + "')");
        refused(422, "windows[0].response", () -> send("middle", b -> {}));
        refused(422, "steps[0].connections", () -> send("last", b -> {}));
        refused(
                422,
                "steps[0].connections",
                () -> send("closed", b -> object(b, "/steps/0").put("connections", 49)));
        assertThat(put("closed", b -> {})).isEqualTo(204);
        assertThat(text(
                        "select concat_ws(' ', rate, connections, response is null, lag is null, transport, http) from step",
                        "trial_id"))
                .isEqualTo("50 t t lean 1.1");
        assertThat(text(
                        "select concat_ws(' ', response is null, lag is null, response_p50_ns, service_p50_ns > 0) from load_window",
                        "trial_id"))
                .isEqualTo("t t t");
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

    private void beat(String phase) {
        execute(
                "update run set spec = (select m.spec from matrix m where m.slug = 'starter' limit 1) where external_id = '"
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
}
