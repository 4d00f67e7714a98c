package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.RunState;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.plan.Assignment;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

/** The queue over HTTP and at once from many sides, on a real PostgreSQL. */
final class RunQueueTest extends RunWebTest {

    @Test
    void a_run_goes_from_the_queue_to_its_end() {
        String run = queue(machine);
        assertThat(status(run).get("state").asString()).isEqualTo("queued");
        assertThat(status(run).get("notices").toString()).contains("spring-webflux is not built");

        JsonNode assignment = claim();
        assertThat(assignment.get("runId").asString()).isEqualTo(run);
        assertThat(assignment.get("trials")).hasSize(TRIALS);
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
    void order_of_trials_is_drawn_from_the_run_s_seed_which_its_page_shows() {
        assertThat(firstBuildOf(2)).isEqualTo("debian-28-ea_18-amd64");
        assertThat(firstBuildOf(0)).isEqualTo("temurin-25.0.3_9-amd64");
        assertThat(number("select count(distinct order_seed) from run where order_seed in (0, 2) and machine_id = "
                        + key().value()))
                .isEqualTo(2);
    }

    private String firstBuildOf(long seed) {
        String run = queue(machine);
        assertThat(number("select count(*) from run where order_seed is not null and external_id = '" + run + "'"))
                .isEqualTo(1);
        execute("update run set order_seed = " + seed + " where external_id = '" + run + "'");
        JsonNode trials = claim().get("trials");
        assertThat(page(run)).contains("from seed " + seed);
        endTrials(run, "state = 'done'");
        complete(run, 1, "done").expectStatus().isNoContent();
        return trials.get(0).get("jdk").asString();
    }

    @Test
    void family_is_declared_with_the_run_and_filled_in_however_it_ends() {
        String queued = queue(machine);
        assertThat(tests(queued, "axis = 'jdk'"))
                .as("3 variants × 2 scenarios, a pair of builds each, × 5 metrics")
                .isEqualTo(30);
        assertThat(
                        tests(
                                queued,
                                "axis = 'jdk' and family_size = 24 and metric <> 'error_ratio' and methodology = '2.5' and blocks is null"))
                .isEqualTo(24);
        assertThat(tests(queued, "axis = 'server' and family_size = 32 and metric <> 'error_ratio'"))
                .as("2 variants against the first, on 2 builds × 2 scenarios, × 4 metrics")
                .isEqualTo(32);
        assertThat(tests(queued, "true")).isEqualTo(70);
        cancel(queued);
        assertThat(tests(queued, "blocks = 0 and reason like 'no scored trial ended%'"))
                .isEqualTo(70);

        String done = queue(machine);
        claim();
        endTrials(done, "state = 'done', validity = 'valid'");
        complete(done, 1, "done").expectStatus().isNoContent();
        assertThat(tests(done, "blocks = 0 and reason like '%has no such value%'"))
                .isEqualTo(70);

        String lost = queue(machine);
        claim();
        execute(
                "update run set state = 'disconnected', lease_expires_at = now() - interval '7 hours' where external_id = '"
                        + lost + "'");
        complete(leases.expire());
        assertThat(tests(lost, "blocks = 0 and verdict is null and reason is not null"))
                .isEqualTo(70);
    }

    private long tests(String run, String where) {
        return number("select count(*) from comparison where " + where
                + " and run_id = (select run_id from run where external_id = '" + run + "')");
    }

    @Test
    void claims_at_once_never_get_the_same_lease_and_a_machine_never_has_two_runs() {
        queue(machine);
        queue(machine);
        List<Assignment> granted = await(Flux.range(0, 12)
                .flatMap(i -> leases.claim(key(), Duration.ZERO).subscribeOn(Schedulers.boundedElastic()), 12)
                .collectList());
        Set<String> leases = new HashSet<>();
        granted.forEach(
                a -> assertThat(leases.add(a.runId() + "/" + a.fencing())).isTrue());
        assertThat(granted).as("three leases for each of two runs").hasSize(6);
        assertThat(number("select count(*) from run where state = 'failed' and machine_id = " + key().value()))
                .as("runs that were leased too often")
                .isEqualTo(2);
    }

    @Test
    void a_draining_machine_finishes_what_it_has_and_takes_nothing_new() {
        String held = queue(machine);
        claim();
        String waiting = queue(machine);
        drain("now()");
        JsonNode again = claim();
        assertThat(again.get("runId").asString())
                .as("its own run, after a restart")
                .isEqualTo(held);
        endTrials(held, "state = 'done'");
        complete(held, 2, "done").expectStatus().isNoContent();
        noWork();
        assertThat(status(waiting).get("state").asString()).isEqualTo("queued");
        drain("null");
        assertThat(claim().get("runId").asString()).isEqualTo(waiting);
    }

    @Test
    void a_run_of_higher_priority_goes_first_and_its_page_says_its_place() {
        String first = queue(machine);
        String second = queue(machine);
        String urgent = queue(machine, "high");
        execute("update run set reckoned_seconds = 600, planned_seconds = 1800 where machine_id = " + key().value());
        noWorkWhileDraining();
        assertThat(page(second)).contains("2 runs of this machine", "Expected to start at", "latest start");
        assertThat(page(urgent)).contains("It runs next.");
        move(as(Role.STRANGER), first, "low").expectStatus().isNotFound();
        move(as(Role.OWNER), first, "urgent").expectStatus().isEqualTo(422);
        move(as(Role.OWNER), first, "low").expectStatus().isSeeOther();
        assertThat(number(
                        "select count(*) from audit_event where action = 'run.priority' and subject = '" + first + "'"))
                .isEqualTo(1);
        Document shown = page(as(Role.OWNER), "/w/main/machines/" + machine.slug());
        assertThat(shown.select("#queue tbody th a").eachAttr("href"))
                .containsExactly("/runs/" + urgent, "/runs/" + second, "/runs/" + first);
        assertThat(shown.select("#queue tbody time"))
                .as("an expected and a latest start each")
                .hasSize(6);
        assertThat(page(client, "/w/main/machines/" + machine.slug()).select("#queue tbody time"))
                .as("others might learn of private runs")
                .isEmpty();
        assertThat(claim().get("runId").asString()).isEqualTo(urgent);
        move(as(Role.OWNER), urgent, "low").expectStatus().isEqualTo(409);
    }

    /** A claim that gets nothing: the machine is there. */
    private void noWorkWhileDraining() {
        drain("now()");
        noWork();
        drain("null");
    }

    private WebTestClient.ResponseSpec move(WebTestClient as, String run, String priority) {
        return as.post()
                .uri("/runs/" + run + "/priority")
                .body(BodyInserters.fromFormData("priority", priority))
                .exchange();
    }

    private void drain(String since) {
        execute("update machine set draining_since = " + since + " where external_id = '" + machine.id() + "'");
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
        complete(leases.expire());
        assertThat(status(run).get("state").asString()).isEqualTo("disconnected");
        beat(run, 1, null).expectStatus().isOk();
        assertThat(status(run).get("state").asString()).isEqualTo("running");

        execute(
                "update run set state = 'disconnected', lease_expires_at = now() - interval '7 hours' where external_id = '"
                        + run + "'");
        complete(leases.expire());
        JsonNode failed = status(run);
        assertThat(failed.get("state").asString()).isEqualTo("failed");
        assertThat(failed.get("failure").asString()).contains("away");
        assertThat(failed.get("trials"))
                .allSatisfy(t -> assertThat(t.get("state").asString()).isEqualTo("aborted"));
    }

    /** The usual heartbeat is decided by one statement, every other by {@link Lease}: they must say the same. */
    @Test
    void any_heartbeat_changes_what_the_lease_decides() {
        String run = queue(machine);
        claim();
        Instant before = Instant.parse("2026-01-01T00:00:00Z");
        for (RunState state : List.of(RunState.LEASED, RunState.RUNNING, RunState.DISCONNECTED, RunState.DONE)) {
            for (int attempts : List.of(0, 1)) {
                for (Instant cancel : Arrays.asList(null, before)) {
                    for (long shown : List.of(0L, 1L, 2L)) {
                        Lease lease = new Lease(state, 1, attempts, before, cancel, null);
                        store(run, lease);
                        int expected = switch (lease.heartbeat(shown, before.plusSeconds(1), Duration.ofSeconds(60))) {
                            case Lease.Heard heard -> {
                                lease = heard.next();
                                yield 200;
                            }
                            case Lease.Superseded superseded -> 409;
                            case Lease.GoesOn goesOn -> throw new AssertionError("only the statement says so");
                        };
                        String command = cancel == null ? "continue" : "cancel";
                        var answer = beat(run, shown, null).expectStatus().isEqualTo(expected);
                        if (expected == 200) {
                            answer.expectBody().jsonPath("$.command").isEqualTo(command);
                        }
                        assertThat(number("select count(*) from run where external_id = '" + run + "' and fencing = 1"
                                        + " and state = '" + lease.state().wire() + "' and attempts = " + attempts
                                        + " and (cancel_requested_at is null) = " + (cancel == null)
                                        + " and (lease_expires_at > '" + before + "') = "
                                        + Objects.requireNonNull(lease.expires())
                                                .isAfter(before)))
                                .as("%s, shown %d", lease, shown)
                                .isEqualTo(1);
                    }
                }
            }
        }
    }

    private void store(String run, Lease lease) {
        execute("update run set state = '" + lease.state().wire() + "', attempts = " + lease.attempts()
                + ", lease_expires_at = '" + lease.expires() + "', cancel_requested_at = "
                + (lease.cancelRequested() == null ? "null" : "'" + lease.cancelRequested() + "'")
                + " where external_id = '" + run + "'");
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
        cancel(queued);
        assertThat(status(queued).get("state").asString()).isEqualTo("cancelled");

        String running = queue(machine);
        claim();
        cancel(running);
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
        complete(leases.expire());
        assertThat(status(run).get("state").asString()).isEqualTo("cancelled");
        assertThat(status(run).get("failure").asString()).contains("revoked");
        bearer(machine.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isUnauthorized();
    }

    private void noWork() {
        bearer(machine.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isNoContent();
    }

    private List<String> entries(String run) {
        return await(database.sql("""
                        select e.standing || ': ' || array_to_string(e.reasons, '; ') as said
                          from leaderboard_entry e join run r using (run_id) where r.external_id = :run
                        """)
                .bind("run", run)
                .map(row -> Objects.requireNonNull(row.get("said", String.class)))
                .all()
                .collectList());
    }

    /** The first scored one of a lease. */
    private String trialOf(String run, int fencing) {
        return await(database.sql("""
                        select t.external_id from trial t join run r using (run_id)
                         where r.external_id = :run and t.fencing = :fencing and t.kind = 'scored' order by t.position limit 1
                        """)
                .bind("run", run)
                .bind("fencing", fencing)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }
}
