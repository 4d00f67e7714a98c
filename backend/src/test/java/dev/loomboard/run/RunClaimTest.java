package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** When a claim is given no run although one is there. */
final class RunClaimTest extends RunWebTest {

    @Test
    void while_an_upload_has_the_run_that_is_held_no_second_one_is_given() {
        String held = queue(machine);
        claim();
        queue(machine);
        Mono<HttpStatusCode> claimed = Mono.fromCallable(() -> bearer(machine.key())
                        .post()
                        .uri("/api/agent/v1/claim?waitSeconds=0")
                        .exchange()
                        .returnResult(Void.class)
                        .getStatus())
                .subscribeOn(Schedulers.boundedElastic());
        StepVerifier.create(service.bean(RunStore.class)
                        .ofMachine(key(), held)
                        .flatMap(locked -> claimed)
                        .as(service.bean(TransactionalOperator.class)::transactional))
                .expectNext(HttpStatus.NO_CONTENT)
                .expectComplete()
                .verify(TIMEOUT);
        assertThat(claim().get("runId").asString()).isEqualTo(held);
    }

    @Test
    void a_run_whose_workspace_can_store_nothing_waits_and_its_agent_is_told_why() {
        String run = queue(machine);
        String workspace = "full-" + machine.slug();
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), '" + workspace
                + "', 'Full')");
        execute(
                "insert into workspace_limit (workspace_id, stored_bytes) select workspace_id, 0 from workspace where slug = '"
                        + workspace + "'");
        execute("update run set workspace_id = (select workspace_id from workspace where slug = '" + workspace
                + "') where external_id = '" + run + "'");
        bearer(machine.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isEqualTo(429)
                .expectHeader()
                .exists("Retry-After")
                .expectBody(String.class)
                .value(said -> assertThat(said).contains("stored measurements", run, "waits until there is room"));
        assertThat(status(run).get("state").asString()).isEqualTo("queued");

        execute("delete from workspace_limit where stored_bytes = 0");
        assertThat(claim().get("runId").asString()).isEqualTo(run);
        execute(
                "insert into workspace_limit (workspace_id, stored_bytes) select workspace_id, 0 from workspace where slug = '"
                        + workspace + "'");
        assertThat(claim().get("fencing").asLong())
                .as("a run that has begun is given back to its machine")
                .isEqualTo(2);
    }
}
