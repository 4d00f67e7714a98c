package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.AbstractStringAssert;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;

/** What a rule of a schedule stops, its agent ends by itself. */
final class RunStopTest extends RunWebTest {

    private static final RunStop WHY = new RunStop(RunStop.Kind.DURATION, "Stopped after 8 h, as its schedule says");

    private final RunService runs = service.bean(RunService.class);

    @Test
    void stopped_run_keeps_what_it_measured_and_says_how_far_it_came() {
        String run = queue(machine);
        claim();
        heard(run).isEqualTo("continue");
        assertThat(stops(run, 4)).containsExactlyInAnyOrder(true, false, false, false);
        assertThat(number("select count(*) from audit_event where action = 'run.cancel' and subject = '" + run + "'"))
                .isEqualTo(1);
        heard(run).isEqualTo("cancel");
        assertThat(page(run)).doesNotContain("as its schedule says");
        execute("update trial set state = 'done', finished_at = now() where position < 6 and run_id ="
                + " (select run_id from run where external_id = '" + run + "')");
        complete(run, 1, "cancelled").expectStatus().isNoContent();
        assertThat(status(run).get("state").asString()).isEqualTo("cancelled");
        assertThat(status(run).get("failure").asString()).isEqualTo(WHY.reason());
        assertThat(Jsoup.parse(page(run)).select(".notice.warn").text())
                .contains("Stopped after 8 h, as its schedule says: 6 of 24 trials are done.");
        as(Role.OWNER)
                .get()
                .uri("/runs/" + run + ".json")
                .exchange()
                .expectBody()
                .jsonPath("$.stopped.done")
                .isEqualTo(6)
                .jsonPath("$.stopped.kind")
                .isEqualTo("duration");
        assertThat(number("select count(*) from trial t join run r using (run_id) where r.external_id = '" + run
                        + "' and t.state = 'aborted'"))
                .isEqualTo(TRIALS - 6);
    }

    @Test
    void queued_run_is_stopped_at_once_and_one_that_is_over_or_cancelled_is_not() {
        String run = queue(machine);
        assertThat(stops(run, 1)).containsExactly(true);
        assertThat(status(run).get("state").asString()).isEqualTo("cancelled");
        assertThat(page(run)).contains("0 of 24 trials are done");
        assertThat(stops(run, 1)).containsExactly(false);
        String cancelled = queue(machine);
        claim();
        cancel(cancelled);
        assertThat(stops(cancelled, 1)).containsExactly(false);
        complete(cancelled, 1, "cancelled").expectStatus().isNoContent();
        assertThat(page(cancelled)).doesNotContain("as its schedule says");
    }

    @Test
    void run_that_was_done_before_its_agent_heard_is_done() {
        String run = queue(machine);
        claim();
        assertThat(stops(run, 1)).containsExactly(true);
        endTrials(run, "state = 'done', finished_at = now()");
        complete(run, 1, "done").expectStatus().isNoContent();
        assertThat(status(run).get("state").asString()).isEqualTo("done");
        assertThat(status(run).get("failure").isNull()).isTrue();
        assertThat(page(run)).doesNotContain("as its schedule says");
    }

    private List<Boolean> stops(String run, int times) {
        return Objects.requireNonNull(Flux.range(0, times)
                .flatMap(i -> runs.stop("sch_" + "a".repeat(20), run, WHY))
                .collectList()
                .block(TIMEOUT));
    }

    private AbstractStringAssert<?> heard(String run) {
        JsonNode answer =
                beat(run, 1, null).expectBody(JsonNode.class).returnResult().getResponseBody();
        return assertThat(Objects.requireNonNull(answer).get("command").asString());
    }
}
