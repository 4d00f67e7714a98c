package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Runs that somebody may not see, that cannot be, and calls that name no run. */
final class RunRefusalTest extends RunWebTest {

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
                .uri("/api/v1/runs?machine=" + secret.slug() + "&matrix=starter")
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
                .bodyValue(Map.of("matrix", "starter", "machine", machine.slug(), "jdks", List.of("99")))
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
    void a_priority_and_a_visibility_that_do_not_exist_are_refused_by_name() {
        for (Object priority : List.of("urgent", "", 2)) {
            assertRefused(
                    as(Role.TOKEN),
                    "/api/v1/runs",
                    Map.of("matrix", "starter", "machine", machine.slug(), "priority", priority),
                    "priority must be one of low, normal, high");
        }
        for (String visibility : List.of("secret", "")) {
            assertRefused(
                    as(Role.TOKEN),
                    "/api/v1/machines/registration-tokens",
                    Map.of("name", "bench", "visibility", visibility),
                    "visibility must be one of public, private");
        }
    }

    private static void assertRefused(WebTestClient caller, String path, Map<String, Object> body, String why) {
        caller.post()
                .uri(path)
                .bodyValue(body)
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo(why.substring(0, why.indexOf(' ')))
                .jsonPath("$.detail")
                .value(detail -> assertThat(String.valueOf(detail)).contains(why));
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
        assertRefused(
                agent,
                path + "/heartbeat",
                Map.of("fencing", 1, "done", 1, "total", 2, "phase", "asleep"),
                "phase must be one of provision, start,");
        assertRefused(
                agent,
                path + "/complete",
                Map.of("fencing", 1, "outcome", "perhaps"),
                "outcome must be one of done, failed, cancelled");
        assertRefused(agent, path + "/complete", Map.of("fencing", 1), "outcome is missing");
        agent.post()
                .uri("/api/agent/v1/claim?waitSeconds=51")
                .exchange()
                .expectStatus()
                .isEqualTo(422);
        assertThat(status(run).get("state").asString()).isEqualTo("leased");
    }
}
