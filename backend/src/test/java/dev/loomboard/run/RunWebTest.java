package dev.loomboard.run;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import dev.loomboard.measurement.Phase;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;

/** Base of the tests of the queue over HTTP: a machine of its own, and an agent that speaks for it. */
abstract class RunWebTest extends WebTest {

    static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** starter on the example's machine: 3 built variants × 2 scenarios × 2 builds × (scored + diagnostic). */
    static final int TRIALS = 24;

    final LeaseService leases = service.bean(LeaseService.class);
    TestMachine machine;

    @BeforeEach
    void register() {
        machine = TestMachine.registered(as(Role.TOKEN), client, "public");
    }

    final String queue(TestMachine on) {
        return queue(on, "normal");
    }

    final String queue(TestMachine on, String priority) {
        JsonNode queued = as(Role.TOKEN)
                .post()
                .uri("/api/v1/runs")
                .bodyValue(Map.of("matrix", "starter", "machine", on.slug(), "priority", priority))
                .exchange()
                .expectStatus()
                .isCreated()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody();
        return Objects.requireNonNull(queued).get("runId").asString();
    }

    final JsonNode claim() {
        JsonNode assignment = bearer(machine.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody();
        return Objects.requireNonNull(assignment);
    }

    final JsonNode status(String run) {
        JsonNode status = as(Role.OWNER)
                .get()
                .uri("/api/v1/runs/" + run)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody();
        return Objects.requireNonNull(status);
    }

    final String page(String run) {
        return Objects.requireNonNull(as(Role.OWNER)
                .get()
                .uri("/runs/" + run)
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }

    final void cancel(String run) {
        as(Role.OWNER)
                .post()
                .uri("/runs/" + run + "/cancel")
                .exchange()
                .expectStatus()
                .isSeeOther();
    }

    final WebTestClient.ResponseSpec beat(String run, long fencing, @Nullable String trial) {
        return bearer(machine.key())
                .post()
                .uri("/api/agent/v1/runs/" + run + "/heartbeat")
                .bodyValue(heartbeat(fencing, trial))
                .exchange();
    }

    static Heartbeat heartbeat(long fencing, @Nullable String trial) {
        return new Heartbeat(fencing, trial, trial == null ? null : Phase.WARMUP, 0, TRIALS, "2026-11-21T03:04:05Z", 0);
    }

    final WebTestClient.ResponseSpec complete(String run, long fencing, String outcome) {
        return bearer(machine.key())
                .post()
                .uri("/api/agent/v1/runs/" + run + "/complete")
                .bodyValue(Map.of("fencing", fencing, "outcome", outcome))
                .exchange();
    }

    final void endTrials(String run, String change) {
        execute("update trial set " + change + " where run_id = (select run_id from run where external_id = '" + run
                + "')");
    }

    final MachineId key() {
        return key(machine);
    }

    final MachineId key(TestMachine of) {
        return new MachineId(number("select machine_id from machine where external_id = '" + of.id() + "'"));
    }
}
