package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;

/** What a machine's page says of builds that are being brought. */
final class JdkProgressTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");

    @Test
    void page_says_what_is_brought_until_it_is_done() {
        assertThat(shown()).isEmpty();
        put(Map.of("phase", "asking", "selector", ">=25"));
        assertThat(shown()).isEqualTo("JDK provider at work: asking the catalogue for >=25.");
        put(Map.of("phase", "downloading", "selector", "28-ea", "bytes", 120 << 20, "of", 200 << 20));
        assertThat(shown()).isEqualTo("JDK provider at work: downloading for 28-ea, 120 of 200 MiB.");
        put(Map.of("phase", "downloading", "selector", "28-ea", "bytes", 121 << 20));
        assertThat(shown()).endsWith("downloading for 28-ea, 121 MiB.");
        put(Map.of("phase", "done"));
        assertThat(shown()).isEmpty();
    }

    @Test
    void silence_is_said_and_forgotten_after_a_day() {
        put(Map.of("phase", "unpacking", "selector", "temurin:28-ea"));
        heard("5 minutes");
        assertThat(shown())
                .startsWith("JDK provider at work: was unpacking for temurin:28-ea at ")
                .endsWith("; nothing was heard of it since.");
        heard("2 days");
        assertThat(shown()).isEmpty();
    }

    @Test
    void report_that_names_nothing_is_refused() {
        bearer(machine.key())
                .put()
                .uri("/api/agent/v1/jdk-progress")
                .bodyValue(Map.of("phase", "downloading"))
                .exchange()
                .expectStatus()
                .isEqualTo(422);
    }

    private void put(Map<String, Object> report) {
        bearer(machine.key())
                .put()
                .uri("/api/agent/v1/jdk-progress")
                .bodyValue(report)
                .exchange()
                .expectStatus()
                .isNoContent();
    }

    private String shown() {
        return page(client, "/w/main/machines/" + machine.slug())
                .select("#jdk-progress")
                .text();
    }

    private void heard(String ago) {
        service.bean(DatabaseClient.class)
                .sql("update machine_jdk_progress set at = now() - interval '" + ago
                        + "' where machine_id = (select machine_id from machine where external_id = :machine)")
                .bind("machine", machine.id())
                .then()
                .block(TIMEOUT);
    }
}
