package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Each read page as HTML and as JSON; and who may see what. */
final class ReadPagesTest extends ShownPages {
    /** The list as of the seeded runs: other tests of the same service queue more runs than fit on its first page. */
    private static final String QUEUED_WITH_THE_SEED = "/runs?before=2026-11-20T03:00:00Z";

    private final Results.Ids ids = Results.shared();

    private record Case(String path, String schema) {}

    private List<Case> cases() {
        return List.of(
                new Case(Results.board(Results.IO), "loomboard.leaderboard/2"),
                new Case("/compare?a=" + Results.JDK_25 + "&b=" + Results.JDK_28_18, "loomboard.compare/1"),
                new Case("/compare", "loomboard.compare/1"),
                new Case("/runs", "loomboard.runs/1"),
                new Case("/runs/months/2026-11", "loomboard.runs-of-month/1"),
                new Case("/runs/" + ids.doneRun(), "loomboard.run/1"),
                new Case("/runs/" + ids.liveRun(), "loomboard.run/1"),
                new Case("/trials/" + ids.trial(), "loomboard.trial/1"),
                new Case("/trials/" + ids.diagnosticTrial(), "loomboard.trial/1"),
                new Case("/series/" + ids.series(), "loomboard.series/1"),
                new Case("/series/" + ids.watchedSeries(), "loomboard.series/1"),
                new Case("/jdks", "loomboard.jdks/1"),
                new Case("/jdks/28", "loomboard.jdks/1"),
                new Case("/jdks/28/" + Results.JDK_28_18, "loomboard.jdk/2"),
                new Case("/patterns", "loomboard.patterns/1"),
                new Case("/methodology", "loomboard.methodology/1"),
                new Case("/metrics-glossary", "loomboard.metrics-glossary/1"),
                new Case("/api", "loomboard.api/1"),
                new Case("/status", "loomboard.status/1"));
    }

    @TestFactory
    Stream<DynamicTest> page_has_one_heading_its_first_line_and_no_inline_style_or_script() {
        return cases().stream()
                .map(c -> DynamicTest.dynamicTest(c.path(), () -> {
                    Document page = shown(client, c.path());
                    assertThat(page.select("h1")).hasSize(1);
                    assertThat(page.select("h1 ~ p.lead").text())
                            .as("the first line says what the page answers")
                            .isNotBlank();
                    assertThat(page.select("[style], style, script:not([src]), [onclick]"))
                            .as("forbidden by the policy")
                            .isEmpty();
                    assertThat(page.select("main#main")).hasSize(1);
                    assertThat(page.select("html").attr("lang")).isEqualTo("en");
                }));
    }

    @TestFactory
    Stream<DynamicTest> json_twin_carries_its_schema() {
        return cases().stream()
                .map(c -> DynamicTest.dynamicTest(
                        c.path(),
                        () -> client.get()
                                .uri(URI.create(service.url() + twin(c.path())))
                                .exchange()
                                .expectStatus()
                                .isOk()
                                .expectBody()
                                .jsonPath("$.schema")
                                .isEqualTo(c.schema())));
    }

    @Test
    void every_link_of_the_same_page_and_of_the_frame_leads_somewhere() {
        Document page = shown(client, "/leaderboard");
        page.select("header a[href^=/], footer a[href^=/]").eachAttr("href").stream()
                .distinct()
                .forEach(
                        href -> client.get().uri(href).exchange().expectStatus().isOk());
    }

    @Test
    void run_tells_invalid_from_failed_from_aborted() {
        Document page = shown(client, "/runs/" + ids.liveRun());
        assertThat(page.select(".trial-box.invalid")).hasSize(1);
        assertThat(page.select(".trial-box.failed")).hasSize(1);
        assertThat(page.select(".trial-box.aborted")).hasSize(1);
        assertThat(page.select(".trial-box.running").text()).contains("measure");
        assertThat(page.text()).contains("expected end 2026-11-20 04:12 UTC", "answered 404, expected 200");
    }

    @Test
    void closed_load_is_ordered_by_its_rate_and_never_shows_service_in_the_place_of_response() {
        Document board = shown(client, Results.board(Results.CLOSED));
        assertThat(board.select("th[aria-sort=descending]").text()).startsWith("Throughput");
        assertThat(board.select("table.board thead").text())
                .contains("service, ms", "at 50 connections")
                .doesNotContain("response,");
        assertThat(Objects.requireNonNull(board.selectFirst("p.lead")).text())
                .contains("not comparable with the response time of an open load");
        Document run = shown(client, "/runs/" + ids.closedRun());
        assertThat(run.select("td .missing").eachText())
                .contains("not measured — closed load has no intended send times");
        assertThat(run.text()).contains("at 50 connections");
        Document trial = shown(client, "/trials/" + ids.closedTrial());
        assertThat(trial.select("tr:has(a[href$=#response_p50_ms]) td[data-label=Value]")
                        .text())
                .isEqualTo("not measured — closed load has no intended send times");
        assertThat(trial.select("tr:has(a[href$=#service_p50_ms]) th").text())
                .isEqualTo("Service time median at 50 connections");
        assertThat(trial.select("figure[data-chart=latency]").text()).contains("Service time at 50 connections");
        assertThat(trial.select("[aria-label=Steps] thead").text()).doesNotContain("Lag", "Offered");
        assertThat(trial.text()).contains("Sent by the agent's lean transport, HTTP/1.1.");
        Document compare =
                shown(client, "/compare?a=" + Results.JDK_25 + "&b=" + Results.JDK_28_18 + "&metric=throughput_per_s");
        assertThat(compare.select("table.board tbody tr"))
                .as("no open load among them")
                .hasSize(1);
        assertThat(compare.text()).contains("above 1 the candidate completes more");
    }

    @Test
    void trial_of_a_search_shows_its_steps_by_rate_with_the_objective() {
        Document page = shown(client, "/trials/" + ids.searchTrial());
        var steps = page.select("[aria-label='Steps of the search'] tbody tr");
        assertThat(steps).hasSize(12);
        assertThat(steps.get(5).text()).contains("again", "fail", "were answered in its second half");
        assertThat(page.text())
                .contains("986/s", "p99 of response time ≤ 250 ms", "none: one of the bounds is met by no rate");
        assertThat(page.select("figure[data-chart=rates]")).hasSize(1);
        // Six rates passed; those that failed have no place by rate.
        var rates = page.select("figure[data-chart=rates] tbody tr");
        assertThat(rates).hasSize(6);
        assertThat(rates.get(5).text()).contains("130", "250");
    }

    @Test
    void trial_shows_where_its_time_went_and_why_it_is_not_steady() {
        Document page = shown(client, "/trials/" + ids.searchTrial());
        assertThat(page.select("svg.phase-strip rect.p-measure")).hasSize(1);
        assertThat(page.select(".phase-sums").text()).contains("measure 12.0 s", "warm-up 8.00 s");
        assertThat(page.text()).contains("no steady state by warm/1", "warm-up: the JIT compiled for 0.61 s");
        assertThat(shown(client, "/trials/" + ids.trial()).text()).doesNotContain("steady state by");
    }

    @Test
    void trial_shows_every_metric_and_says_what_is_missing() {
        Document page = shown(client, "/trials/" + ids.trial());
        assertThat(page.select("figure[data-chart]").eachAttr("data-chart"))
                .contains(
                        "latency",
                        "percentiles",
                        "cpu",
                        "rss",
                        "heap",
                        "threads",
                        "safepoints",
                        "safepoint-count",
                        "gc",
                        "gc-count");
        assertThat(page.text())
                .contains("smaps_rollup is not readable", "not measured", "diagnostic trial", "G1 Young Generation");
        assertThat(page.select("tr:has(a[href$=#response_p50_ms]) td[data-label=Unit]")
                        .text())
                .isEqualTo("ms resolution 0.0655");
        assertThat(page.select("pre").text()).contains("loomboard-agent bench", "-XX:+UseG1GC");
    }

    @Test
    void trial_says_whether_its_step_was_warm_and_which_threads_used_the_cpu() {
        String text = shown(client, "/trials/" + ids.trial()).select("#warmth").text();
        assertThat(text)
                .contains("Warm while measured?", "1 yes 24", "9 4.20 0.0600 0.0900 0.0300 0")
                .contains("by the rules step/1");
        execute("update trial set end_facts = end_facts - 'warmth' where external_id = '" + ids.closedTrial() + "'");
        assertThat(shown(client, "/trials/" + ids.closedTrial())
                        .select("#warmth")
                        .text())
                .contains("not judged");
    }

    @Test
    void trial_says_what_its_jvm_ran_on() {
        String text = shown(client, "/trials/" + ids.trial()).text();
        assertThat(text)
                .contains(
                        "environment longer by 1733 bytes (drawn), 130 MiB read ahead, JDK and server under their own paths");
        // 100 MiB in 2 s; a clock that was not measured is no zero.
        assertThat(text).contains("50.0 MiB/s", "of 9", "2.50 GHz → not measured, time by tsc", "Effective flags (2)");
    }

    @Test
    void trial_says_what_else_went_on_and_what_the_doctor_had_found() {
        String text = shown(client, "/trials/" + ids.trial()).text();
        assertThat(text)
                .contains(
                        "Stolen CPU time 0.0210 s",
                        "Clock of the cores, lowest 2",
                        "Load host: round trip to it 0.310 ms")
                .contains("Hottest sensor, highest not measured");
        assertThat(text).contains("The machine when the run began", "2 physical cores");
    }

    @Test
    void machine_shows_what_would_spoil_its_measurements_the_worst_first() {
        Document page = shown(client, "/w/main/machines/bench-pages");
        assertThat(page.select("[aria-label='What the doctor found'] tbody th").eachText())
                .containsExactly("cores blocks", "timer warns", "transparent-huge-pages warns", "hypervisor info");
        assertThat(page.text())
                .contains("this machine: governor, turbo", "OK: jdk-provider, swap, clocksource")
                .contains("JDK provider: Looked for 28-ea at 2026-11-20 01:30 UTC, every 1h.")
                .contains("drive the load from another host (loomboard-agent serve)");
    }

    @Test
    void trial_chart_table_has_a_gap_where_nothing_was_measured() {
        Document page = shown(client, "/trials/" + ids.trial());
        assertThat(page.select("figure[data-chart=rss] td .missing")).hasSize(1);
        assertThat(page.select("figure[data-chart=cpu] td .missing"))
                .as("a rate needs both its ends: none at the first tick, nor on either side of the gap")
                .hasSize(6);
    }

    @Test
    void diagnostic_trial_says_that_it_is_never_compared() {
        Document page = shown(client, "/trials/" + ids.diagnosticTrial());
        assertThat(page.select(".lead").text()).contains("diagnostic", "never compared");
        assertThat(page.select("figure[data-chart=contention]")).hasSize(1);
    }

    @Test
    void history_draws_a_line_per_track() {
        Document page = shown(client, "/series/" + ids.series());
        assertThat(page.select("figure .legend li").eachText())
                .containsExactlyInAnyOrder("JDK 28 debian", "JDK 25 temurin");
        assertThat(page.select("#points tbody tr:not(.group)")).hasSize(2);
    }

    @Test
    void private_things_are_there_for_members_only() {
        for (String path : List.of(
                "/runs/" + ids.privateRun(),
                "/trials/" + ids.privateTrial(),
                "/series/" + ids.privateSeries(),
                "/runs/" + ids.privateRun() + "/events")) {
            status(client, path, 404);
            status(as(Role.STRANGER), path, 404);
        }
        for (String path : List.of(
                "/runs/" + ids.privateRun(), "/trials/" + ids.privateTrial(), "/series/" + ids.privateSeries())) {
            status(as(Role.OWNER), path, 200);
            status(as(Role.OWNER), path + ".json", 200);
            status(client, path + ".json", 404);
        }
        assertThat(shown(client, QUEUED_WITH_THE_SEED).text()).doesNotContain("Nobody else's business");
        assertThat(shown(as(Role.STRANGER), QUEUED_WITH_THE_SEED).text()).doesNotContain("Nobody else's business");
        assertThat(shown(as(Role.OWNER), QUEUED_WITH_THE_SEED).text()).contains("Nobody else's business");
        assertThat(shown(client, "/leaderboard").select(".tabs").text()).doesNotContain("empty");
        assertThat(shown(as(Role.OWNER), "/leaderboard").select(".tabs").text()).contains("empty");
    }

    @Test
    void rubbish_in_a_url_is_not_found_or_refused_never_a_fault() {
        Map.of(
                        "/runs/none",
                        404,
                        "/trials/none",
                        404,
                        "/series/none",
                        404,
                        "/jdks/x",
                        404,
                        "/jdks/25/none",
                        404,
                        "/compare?a=none&b=other",
                        404,
                        "/leaderboard?scenario=none",
                        404,
                        "/runs?before=yesterday",
                        422)
                .forEach((path, expected) -> status(client, path, expected));
    }

    @Test
    void stream_of_a_finished_run_sends_its_last_state_and_ends() {
        String events = text("/runs/" + ids.doneRun() + "/events");
        assertThat(events).contains("event:live", "event:over");
    }

    @Test
    void glossary_and_api_list_all_there_is() {
        Document glossary = shown(client, "/metrics-glossary");
        assertThat(glossary.select("section:not(:has(#terms)) tbody tr"))
                .hasSize(Metrics.all().list().size());
        assertThat(glossary.select("#term-control-cell td").text()).startsWith("A cell on a fixed JDK build");
        assertThat(glossary.select("#term-workload td code").eachText()).contains("fortunes");
        assertThat(shown(client, "/api").text()).contains("/api/v1/runs", "/api/agent/v1/claim", "/api/health");
    }

    private void status(WebTestClient as, String path, int expected) {
        as.get().uri(URI.create(service.url() + path)).exchange().expectStatus().isEqualTo(expected);
    }

    private static String twin(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path + ".json" : path.substring(0, query) + ".json" + path.substring(query);
    }
}
