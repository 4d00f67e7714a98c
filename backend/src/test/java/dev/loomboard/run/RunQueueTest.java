package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.MachineId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;

/** The queue over HTTP and at once from many sides, on a real PostgreSQL. */
final class RunQueueTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** quick on the example's machine: 3 built variants × 2 scenarios × 2 builds × (scored + diagnostic). */
    private static final int TRIALS = 24;

    private final RunService runs = service.bean(RunService.class);

    private TestMachine machine;

    @BeforeEach
    void register() {
        machine = TestMachine.registered(as(Role.TOKEN), client, "public");
    }

    @Test
    void a_run_goes_from_the_queue_to_its_end() {
        String run = queue(machine);
        assertThat(status(run).get("state").asString()).isEqualTo("queued");
        assertThat(status(run).get("notices").toString()).contains("spring-webflux is not built");

        JsonNode assignment = claim();
        assertThat(assignment.get("runId").asString()).isEqualTo(run);
        assertThat(assignment.get("trials")).hasSize(TRIALS);
        assertThat(assignment.get("trials").get(0).get("jdk").asString()).isEqualTo("temurin-25.0.3_9-amd64");
        assertThat(status(run).get("state").asString()).isEqualTo("leased");

        String trial = assignment.get("trials").get(0).get("trialId").asString();
        JsonNode heard = beat(run, 1, trial)
                .expectStatus()
                .isOk()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody();
        assertThat(Objects.requireNonNull(heard).get("command").asString()).isEqualTo("continue");
        JsonNode running = status(run);
        assertThat(running.get("state").asString()).isEqualTo("running");
        assertThat(running.get("trials").get(0).get("phase").asString()).isEqualTo("warmup");
        assertThat(running.get("total").asInt()).isEqualTo(TRIALS);
        assertThat(running.get("expectedEnd").asString()).startsWith("2026-11-21T03:04:05");

        complete(run, 1, "done").expectStatus().isEqualTo(409);
        endTrials(run, "state = 'done'");
        complete(run, 1, "done").expectStatus().isNoContent();
        complete(run, 1, "done").expectStatus().isNoContent();
        beat(run, 1, trial).expectStatus().isEqualTo(409);
        assertThat(status(run).get("state").asString()).isEqualTo("done");
        assertThat(status(run).get("done").asInt()).isEqualTo(TRIALS);
        noWork();
    }

    @Test
    void claims_at_once_never_get_the_same_lease_and_a_machine_never_has_two_runs() {
        queue(machine);
        queue(machine);
        List<Assignment> granted = Objects.requireNonNull(Flux.range(0, 12)
                .flatMap(i -> runs.claim(key(), Duration.ZERO).subscribeOn(Schedulers.boundedElastic()), 12)
                .collectList()
                .block(TIMEOUT));
        Set<String> leases = new HashSet<>();
        granted.forEach(
                a -> assertThat(leases.add(a.runId() + "/" + a.fencing())).isTrue());
        assertThat(granted).as("three leases for each of two runs").hasSize(6);
        assertThat(
                        number(
                                "select count(*) from run r join machine m using (machine_id) where m.external_id = :id and r.state = 'failed'"))
                .as("runs that were leased too often")
                .isEqualTo(2);
    }

    @Test
    void a_machine_gets_only_its_own_runs() {
        TestMachine other = TestMachine.registered(as(Role.TOKEN), client, "public");
        String mine = queue(machine);
        String theirs = queue(other);
        assertThat(claim().get("runId").asString()).isEqualTo(mine);
        bearer(other.key())
                .post()
                .uri("/api/agent/v1/runs/" + mine + "/heartbeat")
                .bodyValue(heartbeat(1, null))
                .exchange()
                .expectStatus()
                .isNotFound();
        assertThat(theirs).isNotEqualTo(mine);
    }

    @Test
    void a_second_lease_makes_what_has_not_ended_under_a_higher_token() {
        String run = queue(machine);
        JsonNode first = claim();
        String done = first.get("trials").get(0).get("trialId").asString();
        execute("update trial set state = 'done', started_at = now() where external_id = '" + done + "'");
        String interrupted = first.get("trials").get(1).get("trialId").asString();
        beat(run, 1, interrupted).expectStatus().isOk();

        JsonNode second = claim();
        assertThat(second.get("runId").asString()).isEqualTo(run);
        assertThat(second.get("fencing").asInt()).isEqualTo(2);
        assertThat(second.get("trials")).hasSize(TRIALS - 1);
        assertThat(second.get("trials").get(0).get("position").asInt()).isEqualTo(1);
        beat(run, 1, interrupted).expectStatus().isEqualTo(409);
        assertThat(number("select count(*) from trial t join run r using (run_id) where r.external_id = '" + run
                        + "' and t.fencing = 1 and t.state = 'aborted'"))
                .isEqualTo(TRIALS - 1);
        assertThat(status(run).get("trials"))
                .as("the ended one and the newly planned")
                .hasSize(TRIALS);
        assertThat(status(run).get("done").asInt()).isEqualTo(1);
    }

    @Test
    void a_silent_run_waits_for_its_machine_and_fails_in_the_end() {
        String run = queue(machine);
        claim();
        execute("update run set lease_expires_at = now() - interval '1 second' where external_id = '" + run + "'");
        runs.expire().block(TIMEOUT);
        assertThat(status(run).get("state").asString()).isEqualTo("disconnected");
        beat(run, 1, null).expectStatus().isOk();
        assertThat(status(run).get("state").asString()).isEqualTo("running");

        execute(
                "update run set state = 'disconnected', lease_expires_at = now() - interval '7 hours' where external_id = '"
                        + run + "'");
        runs.expire().block(TIMEOUT);
        JsonNode failed = status(run);
        assertThat(failed.get("state").asString()).isEqualTo("failed");
        assertThat(failed.get("failure").asString()).contains("away");
        assertThat(failed.get("trials"))
                .allSatisfy(t -> assertThat(t.get("state").asString()).isEqualTo("aborted"));
    }

    @Test
    void a_person_cancels() {
        String queued = queue(machine);
        as(Role.STRANGER)
                .post()
                .uri("/runs/" + queued + "/cancel")
                .exchange()
                .expectStatus()
                .isNotFound();
        as(Role.OWNER)
                .post()
                .uri("/runs/" + queued + "/cancel")
                .exchange()
                .expectStatus()
                .isSeeOther();
        assertThat(status(queued).get("state").asString()).isEqualTo("cancelled");

        String running = queue(machine);
        claim();
        as(Role.OWNER)
                .post()
                .uri("/runs/" + running + "/cancel")
                .exchange()
                .expectStatus()
                .isSeeOther();
        beat(running, 1, null)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.command")
                .isEqualTo("cancel");
        complete(running, 1, "cancelled").expectStatus().isNoContent();
        assertThat(status(running).get("state").asString()).isEqualTo("cancelled");
        assertThat(number(
                        "select count(*) from audit_event where action = 'run.cancel' and subject = '" + running + "'"))
                .isEqualTo(1);
    }

    @Test
    void trial_that_its_run_gave_up_is_rolled_up_once_it_is_not_made_again() {
        String run = queue(machine);
        String begun = claim().get("trials").get(0).get("trialId").asString();
        beat(run, 1, begun).expectStatus().isOk();
        claim();
        assertThat(entries(run)).as("made again under the second lease").isEmpty();

        String again = trialOf(run, 2);
        beat(run, 2, again).expectStatus().isOk();
        complete(run, 2, "cancelled").expectStatus().isNoContent();
        assertThat(entries(run))
                .as("the cell that was begun, and none that was not")
                .containsExactly("unranked: trial 1 was aborted (The run is cancelled.)");
    }

    @Test
    void runs_of_a_revoked_machine_are_cancelled() {
        String run = queue(machine);
        as(Role.OWNER)
                .post()
                .uri("/w/main/machines/" + machine.slug() + "/revoke")
                .exchange()
                .expectStatus()
                .isSeeOther();
        runs.expire().block(TIMEOUT);
        assertThat(status(run).get("state").asString()).isEqualTo("cancelled");
        assertThat(status(run).get("failure").asString()).contains("revoked");
        bearer(machine.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isUnauthorized();
    }

    @Test
    void a_waiting_claim_hears_of_a_new_run() {
        Mono<Assignment> waiting = runs.claim(key(), Duration.ofSeconds(20));
        StepVerifier.create(waiting.map(Assignment::runId)
                        .zipWith(Mono.fromCallable(() -> queue(machine)).subscribeOn(Schedulers.boundedElastic())))
                .assertNext(both -> assertThat(both.getT1()).isEqualTo(both.getT2()))
                .expectComplete()
                .verify(TIMEOUT);
    }

    @Test
    void waiting_claims_and_open_streams_end_when_the_service_is_stopped() {
        RunEventService events = service.bean(RunEventService.class);
        String run = queue(machine);
        claim();
        TestMachine idle = TestMachine.registered(as(Role.TOKEN), client, "public");
        MachineId waiting = new MachineId(
                Objects.requireNonNull(database.sql("select machine_id from machine where external_id = :id")
                        .bind("id", idle.id())
                        .map(row -> row.get(0, Long.class))
                        .one()
                        .block(TIMEOUT)));
        Flux<String> stream = as(Role.OWNER)
                .get()
                .uri("/runs/" + run + "/events")
                .exchange()
                .expectStatus()
                .isOk()
                .returnResult(String.class)
                .getResponseBody();
        try {
            StepVerifier.create(stream)
                    .expectNextCount(1)
                    .then(events::stop)
                    .thenConsumeWhile(more -> true)
                    .expectComplete()
                    .verify(TIMEOUT);
            StepVerifier.create(runs.claim(waiting, TIMEOUT.multipliedBy(2)))
                    .expectComplete()
                    .verify(TIMEOUT);
        } finally {
            events.start();
        }
    }

    @Test
    void watchers_are_told_of_every_change() {
        String run = queue(machine);
        String other = queue(machine);
        Flux<String> changes = service.bean(RunEventService.class).changes(run);
        StepVerifier.create(changes)
                .then(this::claim)
                .expectNext(run)
                .then(() -> beat(run, 1, null).expectStatus().isOk())
                .expectNext(run)
                .then(() -> execute("update run set progress = '{\"done\": 1}' where external_id = '" + other + "'"))
                .then(() -> endTrials(run, "validity = 'valid'"))
                .expectNext(run)
                .thenCancel()
                .verify(TIMEOUT);
    }

    @Test
    void the_minutely_job_finds_a_silent_run() {
        String run = queue(machine);
        claim();
        execute("update run set lease_expires_at = now() - interval '1 second' where external_id = '" + run + "'");
        // The update above is announced too, perhaps only now: each sign is a reason to look, not an answer.
        StepVerifier.create(service.bean(RunEventService.class)
                        .changes(run)
                        .publishOn(Schedulers.boundedElastic())
                        .map(changed -> status(changed).get("state").asString())
                        .filter("disconnected"::equals)
                        .next())
                .then(this::triggerExpiry)
                .expectNext("disconnected")
                .expectComplete()
                .verify(TIMEOUT);
    }

    @Test
    void a_private_machine_s_run_is_found_by_its_workspace_only() {
        TestMachine secret = TestMachine.registered(as(Role.TOKEN), client, "private");
        String run = queue(secret);
        String path = "/api/v1/runs/" + run;
        as(Role.ANONYMOUS).get().uri(path).exchange().expectStatus().isNotFound();
        as(Role.STRANGER).get().uri(path).exchange().expectStatus().isNotFound();
        as(Role.OWNER).get().uri(path).exchange().expectStatus().isOk();
        as(Role.TOKEN).get().uri(path).exchange().expectStatus().isOk();
        as(Role.ANONYMOUS)
                .get()
                .uri("/api/v1/runs?machine=" + secret.slug())
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.runs.length()")
                .isEqualTo(0);
        as(Role.OWNER)
                .get()
                .uri("/api/v1/runs?machine=" + secret.slug() + "&matrix=quick")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.runs.length()")
                .isEqualTo(1);
    }

    @Test
    void a_run_that_cannot_be_is_refused_with_the_reason() {
        as(Role.TOKEN)
                .post()
                .uri("/api/v1/runs")
                .bodyValue(Map.of("matrix", "quick", "machine", machine.slug(), "jdks", List.of("99")))
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.detail")
                .value(d -> assertThat(d.toString()).contains("no JDK matches"));
        as(Role.TOKEN)
                .post()
                .uri("/api/v1/runs")
                .bodyValue(Map.of("matrix", "none", "machine", machine.slug()))
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("matrix");
        as(Role.TOKEN)
                .post()
                .uri("/api/v1/runs")
                .bodyValue(Map.of("machine", machine.slug()))
                .exchange()
                .expectStatus()
                .isEqualTo(422);
    }

    @Test
    void a_malformed_call_of_an_agent_names_what_is_wrong() {
        String run = queue(machine);
        claim();
        String path = "/api/agent/v1/runs/" + run;
        WebTestClient agent = bearer(machine.key());
        agent.post()
                .uri(path + "/heartbeat")
                .bodyValue(Map.of("done", 1, "total", 2))
                .exchange()
                .expectStatus()
                .isEqualTo(422);
        agent.post()
                .uri(path + "/heartbeat")
                .bodyValue(Map.of("fencing", 1, "done", 3, "total", 2))
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("done");
        agent.post()
                .uri(path + "/complete")
                .bodyValue(Map.of("fencing", 1, "outcome", "perhaps"))
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("outcome");
        agent.post()
                .uri("/api/agent/v1/claim?waitSeconds=51")
                .exchange()
                .expectStatus()
                .isEqualTo(422);
        assertThat(status(run).get("state").asString()).isEqualTo("leased");
    }

    private void triggerExpiry() {
        try {
            service.bean(Scheduler.class).triggerJob(JobKey.jobKey("lease-expiry", "run"));
        } catch (SchedulerException e) {
            throw new AssertionError(e);
        }
    }

    private String queue(TestMachine on) {
        JsonNode queued = as(Role.TOKEN)
                .post()
                .uri("/api/v1/runs")
                .bodyValue(Map.of("matrix", "quick", "machine", on.slug()))
                .exchange()
                .expectStatus()
                .isCreated()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody();
        return Objects.requireNonNull(queued).get("runId").asString();
    }

    private JsonNode claim() {
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

    private void noWork() {
        bearer(machine.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isNoContent();
    }

    private JsonNode status(String run) {
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

    private WebTestClient.ResponseSpec beat(String run, long fencing, @Nullable String trial) {
        return bearer(machine.key())
                .post()
                .uri("/api/agent/v1/runs/" + run + "/heartbeat")
                .bodyValue(heartbeat(fencing, trial))
                .exchange();
    }

    private static Heartbeat heartbeat(long fencing, @Nullable String trial) {
        return new Heartbeat(fencing, trial, trial == null ? null : "warmup", 0, TRIALS, "2026-11-21T03:04:05Z", 0);
    }

    private WebTestClient.ResponseSpec complete(String run, long fencing, String outcome) {
        return bearer(machine.key())
                .post()
                .uri("/api/agent/v1/runs/" + run + "/complete")
                .bodyValue(Map.of("fencing", fencing, "outcome", outcome))
                .exchange();
    }

    private void endTrials(String run, String change) {
        execute("update trial set " + change + " where run_id = (select run_id from run where external_id = '" + run
                + "')");
    }

    private List<String> entries(String run) {
        return Objects.requireNonNull(database.sql("""
                        select e.standing || ': ' || array_to_string(e.reasons, '; ') as said
                          from leaderboard_entry e join run r using (run_id) where r.external_id = :run
                        """)
                .bind("run", run)
                .map(row -> Objects.requireNonNull(row.get("said", String.class)))
                .all()
                .collectList()
                .block(TIMEOUT));
    }

    /** The first scored one of a lease. */
    private String trialOf(String run, int fencing) {
        return Objects.requireNonNull(database.sql("""
                        select t.external_id from trial t join run r using (run_id)
                         where r.external_id = :run and t.fencing = :fencing and t.kind = 'scored' order by t.position limit 1
                        """)
                .bind("run", run)
                .bind("fencing", fencing)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one()
                .block(TIMEOUT));
    }

    private MachineId key() {
        return new MachineId(number("select machine_id from machine where external_id = :id"));
    }

    /** A single number; {@code :id} is the machine's external id. */
    private long number(String sql) {
        var spec = database.sql(sql);
        if (sql.contains(":id")) {
            spec = spec.bind("id", machine.id());
        }
        return Objects.requireNonNull(
                spec.map(row -> row.get(0, Long.class)).one().block(TIMEOUT));
    }

    private void execute(String sql) {
        database.sql(sql).then().block(TIMEOUT);
    }
}
