package dev.loomboard.jdkpages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.SevenBlocks;
import dev.loomboard.kit.WebTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.reactive.TransactionalOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the page of a build says that it changed. */
final class BuildStepTest extends WebTest {

    private final String name = "step-" + ExternalId.random("tmp").value().substring(4);

    @Test
    void build_is_set_against_the_last_release_with_verdicts_and_the_surest_differences() {
        SevenBlocks run = judged("public");
        String path = "/jdks/26/" + run.candidate;
        Document page = page(client, path);
        assertThat(page.select("#changed h3").text()).startsWith("Against the last release");
        assertThat(page.select("#changed").text())
                .contains("1 slower", "See all of them", "adjusted p")
                .doesNotContain("Against the build before");
        assertThat(page.select("#changed a[href=/compare?a=" + run.baseline + "&b=" + run.candidate + "]"))
                .hasSize(1);
        assertThat(page(client, "/jdks/25/" + run.baseline).select("#changed"))
                .as("nothing of its vendor is before it")
                .isEmpty();
        JsonNode twin = service.bean(JsonMapper.class)
                .readTree(Objects.requireNonNull(client.get()
                        .uri(path + ".json")
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBody()));
        assertThat(twin.at("/steps/0/to").asString()).isEqualTo("release");
        assertThat(twin.at("/steps/0/other").asString()).isEqualTo(run.baseline);
        assertThat(twin.at("/steps/0/tally/slower").asInt()).isEqualTo(1);
    }

    @Test
    void default_flags_that_differ_are_named_with_their_values() {
        SevenBlocks run = judged("public");
        String path = "/jdks/26/" + run.candidate;
        assertThat(page(client, path).select("#changed").text())
                .contains("Default flags not known: no machine that you may see has read those of both builds");
        flags(run, run.baseline, Map.of("UseX", "false", "Lines", "false", "Old", "1"));
        assertThat(page(client, path).select("#changed").text()).contains("not known");
        flags(run, run.candidate, Map.of("UseX", "true", "Lines", "false", "New", ""));
        Document page = page(client, path);
        assertThat(page.select("#changed").text())
                .contains("1 changed, 1 added, 1 removed, as both JVMs have them without options on ");
        assertThat(page.select("#changed table.fold:has(code) tbody").eachText())
                .containsExactly("UseX false true product");
        assertThat(page.select("#changed details").eachText())
                .containsExactly("Added flags (1) New = (empty) product", "Removed flags (1) Old = 1 product");
    }

    @Test
    void difference_only_where_the_jvm_chooses_collector_and_heap_points_to_a_default() {
        SevenBlocks run = judged("public");
        String path = "/jdks/26/" + run.candidate;
        assertThat(page(client, path).select("#changed").text()).doesNotContain("JVM chooses");
        for (String table : List.of("series", "cell")) {
            execute("update %s set collector = 'defaults', scenario_key = '%s' where scenario_key = '%s'"
                    .formatted(table, run.scenario("equivalent"), run.scenario("slower")));
        }
        assertThat(page(client, path).select("#changed").text())
                .contains(
                        "Where the JVM chooses collector and heap: 1 slower",
                        "Where both are set: 5 equivalent",
                        "1 difference only where the JVM chooses, which points to a changed default");
    }

    @Test
    void footprint_is_set_side_by_side_whatever_was_judged() {
        SevenBlocks run = judged("public");
        assertThat(page(client, "/jdks/26/" + run.candidate)
                        .select("#changed [aria-label^=Footprint] tbody tr")
                        .eachText())
                .as("a resident memory for each cell that has one")
                .hasSize(4)
                .allSatisfy(row -> assertThat(row).contains("Resident memory, peak"));
    }

    @Test
    void startup_is_set_side_by_side_and_counts_for_nothing() {
        SevenBlocks run = judged("public");
        Document page = page(client, "/jdks/26/" + run.candidate);
        assertThat(page.select("#changed [aria-label^=Start-up] tbody tr").eachText())
                .hasSize(4)
                .allSatisfy(
                        row -> assertThat(row).contains("Start to first ready answer", "no test of it was declared"));
        assertThat(page.select("#changed h3 + p").text()).contains("of 16 cells × metrics");
    }

    @Test
    void stranger_sees_nothing_of_private_results() {
        SevenBlocks run = judged("private");
        client.get().uri("/jdks/26/" + run.candidate).exchange().expectStatus().isNotFound();
        assertThat(page(browser(cast.memberSession()), "/jdks/26/" + run.candidate)
                        .select("#changed")
                        .text())
                .contains("1 slower");
    }

    /** As if an agent had read them on the run's machine. */
    private void flags(SevenBlocks run, String build, Map<String, String> flags) {
        String json = flags.entrySet().stream()
                .map(flag -> "\"%s\": {\"value\": \"%s\", \"kind\": \"product\", \"origin\": \"default\"}"
                        .formatted(flag.getKey(), flag.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
        execute("""
                insert into machine_jdk (machine_id, jdk_build_id, present, agent_slug)
                select r.machine_id, b.jdk_build_id, true, b.slug from run r, jdk_build b where r.run_id = %d and b.slug = '%s'
                on conflict do nothing""".formatted(run.run, build));
        execute("""
                insert into machine_jdk_flags (machine_id, jdk_build_id, fingerprint_hash, flags)
                select r.machine_id, b.jdk_build_id, 'f', '%s' from run r, jdk_build b where r.run_id = %d and b.slug = '%s'""".formatted(json, run.run, build));
    }

    /** Two builds of a vendor of their own, so that no other test's are between them. */
    private SevenBlocks judged(String visibility) {
        SevenBlocks run =
                new SevenBlocks(database, service.bean(TransactionalOperator.class), name, visibility).end("done");
        execute("update jdk_build set vendor = '" + name + "' where slug in ('" + run.baseline + "', '" + run.candidate
                + "')");
        execute("update series set track_vendor = '" + name
                + "' where series_id in (select series_id from point where run_id = " + run.run + ")");
        return run;
    }
}
