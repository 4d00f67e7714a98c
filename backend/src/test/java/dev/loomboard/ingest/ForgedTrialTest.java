package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.WebTest;
import dev.loomboard.stats.latency.Latencies;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Results that nobody measured, as a review forged them: p50 0.97 µs for a workload that waits 100 ms, 0.95 MiB of memory,
 * trials that began a day before their run. They stand beside sound ones of the same machine.
 */
final class ForgedTrialTest extends WebTest {

    private static final long MIB = 1024 * 1024;
    private static final int TRIALS = 5;

    private final Secret key = Secret.random("lba");
    /** Of the run; a trial of 23 s begins every minute. */
    private final Instant claimed = Instant.now().minusSeconds(3600);

    @Test
    void forged_results_are_invalid_with_the_reason_and_do_not_rank() {
        String scenario = "io@1?delayMs=100&forged=yes;constant:rate=1000,seconds=1";
        Bench bench = new Bench(database, "forger");
        long run = run(bench);
        List<Bench.Trial> sound = trials(bench, run, 25, 0, scenario);
        List<Bench.Trial> early = trials(bench, run, 26, 1, scenario);
        List<Bench.Trial> small = trials(bench, run, 27, 2, scenario);
        List<Bench.Trial> before = trials(bench, run, 28, 3, scenario);
        List<Bench.Trial> atOnce = trials(bench, run, 29, 4, scenario);
        for (int i = 0; i < TRIALS; i++) {
            Instant minute = claimed.plusSeconds(60L * 5 * i);
            upload(sound.get(i), minute, 101_000_000, 250 * MIB);
            upload(early.get(i), minute.plusSeconds(60), 970, 250 * MIB);
            upload(small.get(i), minute.plusSeconds(120), 101_000_000, 996_147);
            upload(before.get(i), minute.minusSeconds(86_400), 101_000_000, 250 * MIB);
            upload(atOnce.get(i), claimed.plusSeconds(2000), 101_000_000, 250 * MIB);
        }

        assertThat(validity(sound)).containsOnly("valid ");
        assertThat(validity(early))
                .allMatch(v -> v.startsWith("invalid impossible: in step 0 1\u202f000 of 1\u202f000"));
        assertThat(validity(small))
                .allMatch(v -> v.startsWith("invalid impossible: in step 0 the server had 0.950 MiB"));
        assertThat(validity(before))
                .allMatch(v -> v.matches("invalid impossible: it began 2[34]\u202fh.* before its run was claimed"));
        assertThat(validity(atOnce).getFirst()).isEqualTo("valid ");
        assertThat(validity(atOnce).subList(1, TRIALS))
                .allMatch(v -> v.startsWith(
                        "invalid impossible: it overlaps " + atOnce.getFirst().external()));

        JsonNode board = Examples.PLAIN.readTree(
                text("/leaderboard.json?jdk=all&scenario=" + URLEncoder.encode(scenario, StandardCharsets.UTF_8)));
        assertThat(row(board, 25).path("standing").asString()).isNotEqualTo("unranked");
        for (int feature = 26; feature <= 29; feature++) {
            assertThat(row(board, feature).path("standing").asString()).isEqualTo("unranked");
            assertThat(row(board, feature).path("reasons").toString()).contains("invalid (impossible: ");
        }
        assertThat(page(client, "/trials/" + early.getFirst().external()).text())
                .contains("impossible: in step 0 1\u202f000 of 1\u202f000 successful answers");
    }

    @Test
    void machine_that_uses_more_processors_than_it_has_is_not_believed() {
        Bench bench = new Bench(database, "overclocked");
        long run = run(bench);
        execute("update machine set fingerprint = '{\"cpu\": {\"cores\": 1, \"threads\": 2}}'"
                + " where machine_id = (select machine_id from run where run_id = " + run + ")");
        List<Bench.Trial> trials = trials(bench, run, 35, 0, "io@1?delayMs=100&cpus=2;constant:rate=1000,seconds=1");
        upload(trials.getFirst(), claimed, 101_000_000, 250 * MIB);
        assertThat(validity(trials).getFirst()).isEqualTo("valid ");
        execute("update machine set fingerprint = '{\"cpu\": {\"cores\": 1, \"threads\": 0.5}}'"
                + " where machine_id = (select machine_id from run where run_id = " + run + ")");
        upload(trials.get(1), claimed.plusSeconds(60), 101_000_000, 250 * MIB);
        assertThat(validity(trials).get(1))
                .startsWith("invalid impossible: in step 0 the server used ")
                .endsWith(" CPUs, the machine has 0.5");
    }

    private long run(Bench bench) {
        bench.qualify();
        long run = bench.newRun("public");
        execute("update machine set agent_key_last4 = 'last', agent_key_hash = '\\x"
                + HexFormat.of().formatHex(key.hash())
                + "' where machine_id = (select machine_id from run where run_id = " + run + ")");
        execute("update run set state = 'running', fencing = 1, attempts = 1, started_at = '" + claimed
                + "' where run_id = " + run);
        return run;
    }

    private static List<Bench.Trial> trials(Bench bench, long run, int feature, int ordinal, String scenario) {
        Bench.Cell cell =
                bench.cell(run, bench.jdk("forged-" + feature, feature, 1), new Bench.Point(scenario, ordinal, "{}"));
        List<Bench.Trial> trials = new ArrayList<>();
        for (int i = 1; i <= TRIALS; i++) {
            trials.add(bench.planned(cell, "scored", i, 1));
        }
        return trials;
    }

    /** The contract's example conversation, with these times and this memory. */
    private void upload(Bench.Trial trial, Instant anchor, long nanos, long memory) {
        String histogram = Base64.getEncoder()
                .encodeToString(Latencies.none().with(nanos, 1000).encode());
        for (String name : List.of("first", "middle", "last")) {
            ObjectNode batch = batch(name).put("trialId", trial.external());
            array(batch, "/ticks/columns/proc.rss_bytes").removeAll();
            for (int i = 0; i < batch.at("/ticks/atNs").size(); i++) {
                array(batch, "/ticks/columns/proc.rss_bytes").add(memory);
            }
            if (name.equals("first")) {
                object(batch, "/start").put("anchor", anchor.toString());
            }
            if (name.equals("last")) {
                object(batch, "/steps/0").put("service", histogram).put("response", histogram);
                object(batch, "/end/gcProof/0").put("heapAfterBytes", 1);
                ((ObjectNode) batch.get("end")).remove("steady");
                ((ObjectNode) batch.get("end")).remove("search");
            }
            bearer(key.value())
                    .put()
                    .uri("/api/agent/v1/trials/" + trial.external() + "/batches/"
                            + batch.get("seq").asInt())
                    .contentType(MediaType.APPLICATION_JSON)
                    .bodyValue(Examples.bytes(batch))
                    .exchange()
                    .expectStatus()
                    .isNoContent();
        }
    }

    private List<String> validity(List<Bench.Trial> trials) {
        return trials.stream()
                .map(trial -> await(
                        database.sql("select validity || ' ' || case validity when 'valid' then '' else reason end"
                                        + " from trial where validity is not null and trial_id = " + trial.id())
                                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                                .one()
                                .defaultIfEmpty("")))
                .toList();
    }

    private String text(String path) {
        return new String(
                Objects.requireNonNull(client.get()
                        .uri(java.net.URI.create(service.url() + path))
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBodyContent()),
                StandardCharsets.UTF_8);
    }

    private static JsonNode row(JsonNode answer, int feature) {
        return answer.path("boards")
                .valueStream()
                .flatMap(board -> board.path("groups").valueStream())
                .flatMap(group -> group.path("rows").valueStream())
                .filter(row -> row.toString().contains(feature + "+1"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row of " + feature + " in " + answer));
    }
}
