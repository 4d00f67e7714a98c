package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.plan.Assignment;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Who waits for a run is told of it: claims, streams of pages, the minutely job. */
final class RunEventsTest extends RunWebTest {

    @Test
    void a_waiting_claim_hears_of_a_new_run() {
        Mono<Assignment> waiting = leases.claim(key(), TIMEOUT);
        StepVerifier.create(waiting.map(Assignment::runId)
                        .zipWith(Mono.fromCallable(() -> queue(machine)).subscribeOn(Schedulers.boundedElastic())))
                .assertNext(both -> assertThat(both.getT1()).isEqualTo(both.getT2()))
                .expectComplete()
                .verify(TIMEOUT);
    }

    /** Each heartbeat and each upload changes a run: with a look by each claim at each of them, a fleet would do little else. */
    @Test
    void changes_of_runs_that_are_not_queued_for_it_wake_no_waiting_claim() {
        String run = queue(machine);
        claim();
        TestMachine idle = TestMachine.registered(as(Role.TOKEN), client, "public");
        QueueWatchService watch = service.bean(QueueWatchService.class);
        MachineId waiting = key(idle);
        CompletableFuture<Long> theirs =
                watch.queuedFor(key()).next().timeout(TIMEOUT).toFuture();
        StepVerifier.create(watch.queuedFor(waiting)
                        .publishOn(Schedulers.boundedElastic())
                        .map(of -> of + " has " + queuedOn(idle)))
                .then(() -> {
                    for (int beats = 0; beats < 5; beats++) {
                        beat(run, 1, null).expectStatus().isOk();
                    }
                    endTrials(run, "validity = 'valid'");
                    queue(machine);
                    theirs.join(); // whoever else is woken by that is woken before
                    queue(idle);
                })
                .expectNext(waiting.value() + " has 1")
                .thenCancel()
                .verify(TIMEOUT);
    }

    private long queuedOn(TestMachine of) {
        return number(
                "select count(*) from run join machine using (machine_id) where state = 'queued' and machine.external_id = '"
                        + of.id() + "'");
    }

    @Test
    void waiting_claims_and_open_streams_end_when_the_service_is_stopped() {
        RunEventService events = service.bean(RunEventService.class);
        String run = queue(machine);
        claim();
        TestMachine idle = TestMachine.registered(as(Role.TOKEN), client, "public");
        MachineId waiting = key(idle);
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
            StepVerifier.create(leases.claim(waiting, TIMEOUT.multipliedBy(2)))
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

    private void triggerExpiry() {
        try {
            service.bean(Scheduler.class).triggerJob(JobKey.jobKey("lease-expiry", "run"));
        } catch (SchedulerException e) {
            throw new AssertionError(e);
        }
    }
}
