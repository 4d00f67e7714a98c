package dev.loomboard.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.stats.latency.Quantile;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.TestDimension;
import dev.loomboard.verdict.VerdictStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Trials of real servers as the agent sent them (runner-agent/internal/trial/recorded_test.go), through upload, roll-up,
 * verdicts and pages: one that waits 20 ms, one that sheds three of five hits with an instant 503, and one with a
 * hundred threads of 100 ms that is offered 1300/s.
 */
final class RecordedConversationTest extends WebTest {

    private static final int TRIALS = 5;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Secret key = Secret.random("lba");
    private final List<Bench.Trial> baseline = new ArrayList<>();
    private final List<Bench.Trial> candidate = new ArrayList<>();

    @Test
    void server_that_sheds_load_comes_out_as_failing_and_nowhere_as_fast() throws IOException {
        String run = measured("sheds", "waits", "sheds");
        double successes = Latencies.decode(Base64.getDecoder()
                                .decode(step("sheds").path("response").asString()))
                        .at(Quantile.P50)
                        .orElseThrow()
                / 1e6;
        JsonNode metrics = trial(candidate.getFirst()).path("metrics");
        assertThat(successes).isGreaterThan(20);
        for (String percentile : List.of("response_p50_ms", "response_excess_p50_ms", "service_p50_ms")) {
            assertThat(metrics.at("/" + percentile + "/value").asDouble())
                    .as(percentile)
                    .isGreaterThanOrEqualTo(successes);
            assertThat(metrics.at("/" + percentile + "/reason").asString()).contains("60.0 % of the hits failed");
        }
        assertThat(metrics.at("/error_ratio/value").asDouble()).isEqualTo(0.6);
        JsonNode says = agentSays("sheds");
        assertThat(metrics.at("/response_p50_ms/value").asDouble())
                .isCloseTo(says.at("/response/p50/ms").asDouble(), within(1e-6));

        JsonNode board = JSON.readTree(text("/leaderboard.json?jdk=all&scenario=" + encoded("sheds")));
        JsonNode row = row(board, 26);
        assertThat(row.path("standing").asString()).isEqualTo("unranked");
        assertThat(row.toString()).contains("60.0 % of its hits failed");
        assertThat(row.at("/readings/response_p50_ms/mean").asDouble()).isGreaterThanOrEqualTo(successes);
        assertThat(row(board, 25).path("standing").asString()).isNotEqualTo("unranked");
        assertThat(org.jsoup.Jsoup.parse(text(Results.board(scenario("sheds")))).text())
                .contains("60.0 % of its hits failed");

        JsonNode verdicts = JSON.readTree(text("/runs/" + run + "/verdicts.json"));
        List<JsonNode> tests = verdicts.path("families")
                .valueStream()
                .flatMap(family -> family.path("tests").valueStream())
                .toList();
        assertThat(tests).hasSize(5).allSatisfy(test -> {
            if (test.path("metric").asString().equals("error_ratio")) {
                assertThat(test.at("/outcome/verdict").asString()).isEqualTo("fails more");
            } else {
                assertThat(test.at("/outcome/verdict").isNull()).isTrue();
                assertThat(test.at("/outcome/reason").asString()).contains("on one side 60.0 % of its hits failed");
            }
        });
        assertThat(page(client, "/runs/" + run + "/verdicts").text())
                .contains("fails more, 60.0 % instead of 0.00 % of the requests", "1 fails more");
    }

    @Test
    void work_that_a_saturated_server_does_after_the_step_is_no_work_of_the_step() throws IOException {
        measured("saturated", "waits", "saturated");
        JsonNode metrics = trial(candidate.getFirst()).path("metrics");
        JsonNode step = step("saturated");
        double done = step.at("/outcomes/completedInStep").asDouble();
        assertThat(done).isBetween(9_000.0, 10_000.0); // a hundred threads of 100 ms: 1000/s at most
        assertThat(step.path("completed").asInt()).isEqualTo(13_000);
        assertThat(metrics.at("/throughput_per_s/value").asDouble())
                .isEqualTo(done / 10)
                .isEqualTo(agentSays("saturated").path("throughputPerSecond").asDouble());
        assertThat(metrics.at("/cpu_us_per_request/value").asDouble())
                .isEqualTo(agentSays("saturated").path("cpuMicrosPerRequest").asDouble());
        assertThat(metrics.at("/throughput_per_core/value").asDouble())
                .isCloseTo(1e6 / metrics.at("/cpu_us_per_request/value").asDouble(), within(1.0));

        JsonNode row = row(JSON.readTree(text("/leaderboard.json?jdk=all&scenario=" + encoded("saturated"))), 26);
        assertThat(row.at("/readings/throughput_per_s/mean").asDouble()).isCloseTo(done / 10, within(1e-9));
        assertThat(row.at("/readings/cpu_us_per_request/mean").asDouble())
                .isCloseTo(agentSays("saturated").path("cpuMicrosPerRequest").asDouble(), within(1e-9));
        assertThat(page(client, "/trials/" + candidate.getFirst().external()).text())
                .contains(String.valueOf(Math.round(done / 10)));
    }

    // ---- uploads

    /**
     * Five trials of each conversation in turn, on two builds, in one run that ends.
     *
     * @return its external id
     */
    private String measured(String name, String ofBaseline, String ofCandidate) throws IOException {
        Bench bench = new Bench(database, "recorded-" + name);
        long run = bench.newRun("public");
        Bench.Cell one = bench.cell(run, bench.jdk(name + "-25", 25, 1), new Bench.Point(scenario(name), 0, "{}"));
        Bench.Cell other = bench.cell(run, bench.jdk(name + "-26", 26, 1), new Bench.Point(scenario(name), 1, "{}"));
        for (int i = 1; i <= TRIALS; i++) {
            baseline.add(bench.planned(one, "scored", i, 1));
            candidate.add(bench.planned(other, "scored", i, 1));
        }
        execute("update cell set declared_delay_ms = 0 where run_id = " + run);
        execute("update machine set agent_key_last4 = 'last', agent_key_hash = '\\x"
                + HexFormat.of().formatHex(key.hash())
                + "' where machine_id = (select machine_id from run where run_id = " + run + ")");
        execute("update run set state = 'running', fencing = 1, attempts = 1, methodology = '2.1',"
                + " spec = (select spec from matrix where slug = 'starter' limit 1) where run_id = " + run);
        complete(new VerdictStore(database, JSON)
                .declare(
                        run,
                        List.of(
                                        "response_excess_p50_ms",
                                        "response_excess_p99_ms",
                                        "cpu_us_per_request",
                                        "rss_mib",
                                        "error_ratio")
                                .stream()
                                .map(metric -> new DeclaredTest(TestDimension.JDK, 0, 1, metric))
                                .toList()));
        for (int i = 0; i < TRIALS; i++) {
            upload(ofBaseline, baseline.get(i));
            upload(ofCandidate, candidate.get(i));
        }
        String external = await(database.sql("select external_id from run where run_id = " + run)
                .map(row -> String.valueOf(row.get(0, String.class)))
                .one());
        bearer(key.value())
                .post()
                .uri("/api/agent/v1/runs/" + external + "/complete")
                .bodyValue(Map.of("fencing", 1, "outcome", "done"))
                .exchange()
                .expectStatus()
                .isNoContent();
        return external;
    }

    private void upload(String conversation, Bench.Trial trial) throws IOException {
        for (JsonNode batch : recorded(conversation).path("batches")) {
            bearer(key.value())
                    .put()
                    .uri("/api/agent/v1/trials/" + trial.external() + "/batches/"
                            + batch.path("seq").asInt())
                    .contentType(MediaType.APPLICATION_JSON)
                    .bodyValue(JSON.writeValueAsBytes(((ObjectNode) batch).put("trialId", trial.external())))
                    .exchange()
                    .expectStatus()
                    .isNoContent();
        }
    }

    private static String scenario(String name) {
        return "echo@1?server=" + name + ";constant:rate=300,seconds=10";
    }

    private static String encoded(String name) {
        return java.net.URLEncoder.encode(scenario(name), java.nio.charset.StandardCharsets.UTF_8);
    }

    private static JsonNode recorded(String name) throws IOException {
        return JSON.readTree(Files.readString(Path.of("src/test/resources/recorded/" + name + ".json")));
    }

    private static JsonNode agentSays(String name) throws IOException {
        return recorded(name).at("/agentSays/0");
    }

    private static JsonNode step(String name) throws IOException {
        return recorded(name)
                .path("batches")
                .valueStream()
                .flatMap(batch -> batch.path("steps").valueStream())
                .findFirst()
                .orElseThrow();
    }

    // ---- what the service says

    private JsonNode trial(Bench.Trial trial) {
        return JSON.readTree(text("/trials/" + trial.external() + ".json"));
    }

    /** @param feature of the build it ran on */
    private static JsonNode row(JsonNode answer, int feature) {
        return answer.path("boards")
                .valueStream()
                .flatMap(board -> board.path("groups").valueStream())
                .flatMap(group -> group.path("rows").valueStream())
                .filter(row -> row.toString().contains(feature + "+1"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row of " + feature + " in " + answer));
    }

    private String text(String path) {
        return new String(
                client.get()
                        .uri(java.net.URI.create(service.url() + path))
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBodyContent(),
                java.nio.charset.StandardCharsets.UTF_8);
    }
}
