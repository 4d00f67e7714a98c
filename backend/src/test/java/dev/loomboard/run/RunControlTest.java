package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;

/** Runs that a script asks to be made beside a control. */
final class RunControlTest extends RunWebTest {

    private static final String CONTROL = "debian-21.0.12.1_1-amd64";

    private WebTestClient.ResponseSpec ask(String control) {
        return as(Role.TOKEN)
                .post()
                .uri("/api/v1/runs")
                .bodyValue(Map.of(
                        "matrix", "starter", "machine", machine.slug(), "jdks", List.of("25"), "control", control))
                .exchange();
    }

    @Test
    void the_control_is_measured_beside_the_build_that_was_asked_for() {
        JsonNode queued = answer(ask(CONTROL).expectStatus().isCreated());
        JsonNode run = status(queued.get("runId").asString());
        assertThat(run.get("control").asString()).isEqualTo(CONTROL);
        assertThat(run.get("screen").isNull()).isTrue();
        JsonNode alone = status(queue(machine));
        assertThat(alone.get("control").isNull()).isTrue();
        assertThat(run.get("total").asInt()).isEqualTo(alone.get("total").asInt());
    }

    @Test
    void a_control_that_the_machine_does_not_have_is_refused() {
        assertThat(answer(ask("temurin-19").expectStatus().isEqualTo(422))
                        .get("detail")
                        .asString())
                .contains("no JDK build temurin-19");
    }

    private static JsonNode answer(WebTestClient.ResponseSpec from) {
        return Objects.requireNonNull(
                from.expectBody(JsonNode.class).returnResult().getResponseBody());
    }
}
