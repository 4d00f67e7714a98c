package dev.loomboard.leaderboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.SearchedTrial;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import dev.loomboard.recompute.RecomputeService;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A part of the preset, from the queue over what its agent measures to rows that rank, or say why they do not. */
final class LeaderboardPresetTest extends WebTest {

    private final TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
    private final List<Long> ended = new ArrayList<>();

    @Test
    void complete_run_ranks_and_each_row_that_does_not_says_why() {
        assertThat(json(queued(422)).path("detail").asString())
                .contains("lacks what the matrix requires: load and server on cores apart (they share cores;");
        apart();
        String run = json(queued(201)).path("runId").asString();
        JsonNode assignment = json(bearer(machine.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isOk());
        assertThat(assignment.path("trials"))
                .as("2 variants, 2 builds, ten trials")
                .hasSize(40);
        assertThat(assignment.at("/trials/0/load/curveShares/0").asDouble()).isEqualTo(0.7);
        execute("update run set started_at = '2026-11-20T00:00:00Z' where external_id = '" + run + "'");
        assignment.path("trials").forEach(this::measure);
        complete(service.bean(RecomputeService.class)
                .trialsEnded(ended)
                .as(service.bean(TransactionalOperator.class)::transactional));

        List<JsonNode> rows = rows(run);
        assertThat(rows)
                .extracting(LeaderboardPresetTest::standing)
                .containsExactlyInAnyOrder(
                        tuple("virtual on 25", "ranked", List.of()),
                        tuple("platform-100 on 25", "ranked", List.of()),
                        tuple(
                                "virtual on 28",
                                "unranked",
                                List.of("trial 7 is invalid (the hypervisor took CPU time)")),
                        tuple("platform-100 on 28", "unranked", List.of("trial 3 never reached a steady state")));
        JsonNode best = rows.getFirst();
        assertThat(best.path("variant").asString()).isEqualTo("virtual");
        assertThat(best.at("/rank/best").asInt()).isEqualTo(1);
        assertThat(best.at("/rank/worst").asInt()).as("four times as fast").isEqualTo(1);
        assertThat(best.at("/readings/max_rate_per_s/mean").asDouble()).isCloseTo(4005.5, within(0.1));
        assertThat(best.at("/readings/response_p50_at_70_ms/mean").asDouble()).isCloseTo(101, within(0.2));
        assertThat(best.at("/readings/response_p99_at_70_ms/eligible").asBoolean())
                .isTrue();
        assertThat(document(client.get()
                                .uri(address("", run))
                                .exchange()
                                .expectStatus()
                                .isOk()
                                .expectBody()
                                .returnResult())
                        .select("thead")
                        .text())
                .contains("at 70 % of its max rate");
    }

    private static Tuple standing(JsonNode row) {
        return tuple(
                row.path("variant").asString() + " on " + row.at("/jdk/feature").asString(),
                row.path("standing").asString(),
                row.path("reasons").valueStream().map(JsonNode::asString).toList());
    }

    private WebTestClient.ResponseSpec queued(int status) {
        return as(Role.TOKEN)
                .post()
                .uri("/api/v1/runs")
                .bodyValue(Map.of(
                        "matrix",
                        "leaderboard",
                        "machine",
                        machine.slug(),
                        "servers",
                        List.of("spring-mvc/virtual", "spring-mvc/platform-100"),
                        "workloads",
                        List.of("io")))
                .exchange()
                .expectStatus()
                .isEqualTo(status);
    }

    /** As with "pin": "apart", and qualified so. */
    private void apart() {
        ObjectNode inventory = (ObjectNode) TestMachine.inventory();
        ObjectNode facts = (ObjectNode) inventory.at("/host/facts");
        facts.put("placement", "pinned");
        ((ObjectNode) facts.get("cpu")).put("threads", 2);
        bearer(machine.key())
                .put()
                .uri("/api/agent/v1/inventory")
                .bodyValue(inventory)
                .exchange()
                .expectStatus()
                .is2xxSuccessful();
        execute("update machine set qualified_at = now(), admitted_at = now() where slug = '" + machine.slug() + "'");
    }

    private void measure(JsonNode planned) {
        boolean virtual = planned.path("variant").asString().equals("virtual");
        boolean newest = planned.path("jdk").asString().contains("28-ea");
        int ordinal = planned.path("ordinal").asInt();
        SearchedTrial trial = new SearchedTrial(service, planned.path("trialId").asString(), ended.size());
        ended.add(trial.ended(
                (virtual ? 4000 : 980) + ordinal,
                !(newest && virtual && ordinal == 7),
                !(newest && !virtual && ordinal == 3)));
    }

    private String scenario(String run) {
        return await(database.sql(
                        "select min(c.scenario_key) as key from cell c join run r using (run_id) where r.external_id = :run")
                .bind("run", run)
                .map(row -> String.valueOf(row.get("key", String.class)))
                .one());
    }

    private URI address(String twin, String run) {
        return URI.create(service.url() + Results.board(scenario(run)) + twin + "?jdk=all");
    }

    /** Of this run, the best first. */
    private List<JsonNode> rows(String run) {
        return json(client.get()
                        .uri(address(".json", run))
                        .exchange()
                        .expectStatus()
                        .isOk())
                .path("boards")
                .valueStream()
                .flatMap(board -> board.path("groups").valueStream())
                .flatMap(group -> group.path("rows").valueStream())
                .toList();
    }
}
