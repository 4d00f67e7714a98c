package dev.loomboard.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.WebTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;

/** What Prometheus reads of the running service. */
final class MetricsTest extends WebTest {

    private static final String UPLOAD = "/api/agent/v1/trials/{trialId}/batches/{seq}";

    @Test
    void a_queued_run_a_refused_upload_and_a_fault_move_their_figures() {
        PlannedTrial plan = PlannedTrial.random();
        execute(plan.sql());
        String before = scrape();
        execute("update run set state = 'queued', created_at = now() - interval '1 hour' where external_id = '"
                + plan.run() + "'");
        refuseUpload(plan);
        breakAndAsk(plan);
        String after = scrape();

        assertThat(figure(after, "loomboard_runs", "state=\"queued\""))
                .isGreaterThan(figure(before, "loomboard_runs", "state=\"queued\""));
        assertThat(figure(after, "loomboard_queue_oldest_seconds")).isGreaterThanOrEqualTo(3600);
        String refused = "loomboard_ingest_batches_refused_total";
        assertThat(figure(after, refused)).isGreaterThan(figure(before, refused));
        String requests = "loomboard_http_requests_seconds_count";
        assertThat(figure(after, requests, "route=\"" + UPLOAD + "\"", "status=\"4xx\""))
                .isGreaterThan(figure(before, requests, "route=\"" + UPLOAD + "\"", "status=\"4xx\""));
        String[] broken = {"route=\"/api/v1/runs/{runId}\"", "status=\"5xx\""};
        assertThat(figure(after, requests, broken)).isCloseTo(figure(before, requests, broken) + 1, within(0.1));
        execute("update run set state = 'cancelled', finished_at = now() where external_id = '" + plan.run() + "'");
    }

    /** Of the page and of the example alerts: a figure that is not there would never warn. */
    @Test
    void figures_that_are_documented_are_there_with_their_help_and_no_others_of_ours() throws IOException {
        service.bean(JobTimes.class).succeeded(MetricsTest.class);
        service.bean(JobTimes.class).failed(MetricsTest.class);
        PlannedTrial plan = PlannedTrial.random();
        execute(plan.sql());
        refuseUpload(plan);
        String scraped = scrape();
        Set<String> shown = names("^# HELP (loomboard_[a-z_]+) \\S", scraped);
        assertThat(names("^\\| `(loomboard_[a-z_]+)`", Files.readString(Path.of("OPERATING.md"))))
                .as("rows of the table in OPERATING.md")
                .isEqualTo(shown);
        String plain = scraped.replaceAll("(?m)^#.*$", "");
        assertThat(names("\\b((?:loomboard|jvm|process|system)_[a-z_]+)", Files.readString(Path.of("alerts.yaml"))))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(plain).as(name).contains("\n" + name));
    }

    @Test
    void addresses_that_strangers_make_up_get_no_figures_of_their_own() {
        for (String path : List.of("/no/such/page", "/runs/run_made_up", "/jdks/999")) {
            client.get().uri(path).exchange().expectStatus().isNotFound();
        }
        assertThat(scrape())
                .doesNotContain("/no/such", "made_up", "jdks/999")
                .contains("route=\"none\"", "route=\"/runs/{runId}\"");
    }

    @Test
    void only_the_token_of_the_operator_reads_them() {
        for (String wrong : List.of(
                Service.METRICS_TOKEN.substring(1), Service.METRICS_TOKEN + "x", "lbt_" + "a2".repeat(26) + "x")) {
            bearer(wrong).get().uri("/metrics").exchange().expectStatus().isUnauthorized();
        }
        bearer(Service.METRICS_TOKEN)
                .post()
                .uri("/api/v1/runs")
                .bodyValue("{}")
                .exchange()
                .expectStatus()
                .isForbidden();
        bearer(Service.METRICS_TOKEN)
                .get()
                .uri("/w/main/machines/cast-machine")
                .exchange()
                .expectStatus()
                .isNotFound();
    }

    private void refuseUpload(PlannedTrial plan) {
        bearer(plan.agentKey().value())
                .put()
                .uri(plan.path(0))
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{}")
                .exchange()
                .expectStatus()
                .is4xxClientError();
    }

    /** A run of nobody's but this test's whose stored progress is none, so that reading it fails. */
    private void breakAndAsk(PlannedTrial plan) {
        String of = " where external_id = '" + plan.run() + "'";
        execute("update run set progress = '\"broken\"'" + of);
        as(Role.OWNER)
                .get()
                .uri("/api/v1/runs/" + plan.run())
                .exchange()
                .expectStatus()
                .isEqualTo(500);
        execute("update run set progress = default" + of);
    }

    private String scrape() {
        return Objects.requireNonNull(bearer(Service.METRICS_TOKEN)
                .get()
                .uri("/metrics")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentType("text/plain;version=0.0.4;charset=utf-8")
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }

    /** All series of that name with these labels, together; 0 when there is none yet. */
    private static double figure(String scraped, String name, String... labels) {
        return scraped.lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> List.of(labels).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static Set<String> names(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
