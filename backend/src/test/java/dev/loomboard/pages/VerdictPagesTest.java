package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.RepeatedRuns;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.SevenBlocks;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import tools.jackson.databind.JsonNode;

/** The comparison of two builds whose cells were measured in one run, as a page, as JSON and as CSV. */
final class VerdictPagesTest extends ShownPages {

    private final SevenBlocks run = Shared.RUN;

    static final class Shared {
        static final SevenBlocks RUN = new SevenBlocks(
                        Service.shared().bean(DatabaseClient.class),
                        Service.shared().bean(TransactionalOperator.class),
                        "pages-blocks",
                        "public")
                .end("done");
    }

    @Test
    void verdicts_stand_first_with_word_effect_and_what_was_decidable() {
        Document page = page(path(""));
        List<Element> rows = page.select("#cells table.board tbody tr");
        Element slower = rows.getFirst();
        assertThat(slower.select(".verdict.slower").text()).startsWith("slower, +");
        assertThat(slower.text())
                .contains("adjusted p < 0.0001 in a family of 16", "7 blocks")
                .doesNotContain("excluded at 5 %");
        assertThat(slower.select("svg.interval[aria-label^=95]")).hasSize(1);
        assertThat(page.select("#cells .verdict.equivalent").text()).startsWith("equivalent within 2");
        assertThat(page.select("#cells .verdict.inconclusive").text())
                .contains("further trials on each side would probably decide");
        assertThat(page.select("td:has(.verdict.inconclusive)").text())
                .containsPattern("a change above ±.+ is excluded at 5 %");
        Element lossy = rows.getLast();
        assertThat(lossy.select(".verdict")).isEmpty();
        assertThat(lossy.text())
                .contains(
                        "no verdict: the sides lost different shares of their trials",
                        "excluded: 0 of 7 trials of the baseline, 3 of 7 trials of the candidate");
        assertThat(page.select("tfoot").text()).contains("95 %:");
    }

    @Test
    void what_changed_is_seen_at_a_glance_and_copied_as_text() {
        Document page = page(path(""));
        assertThat(page.select("#changes tbody tr"))
                .as("of the cells that changed")
                .hasSize(1);
        assertThat(page.select("#changes td.slower .verdict").text()).startsWith("+");
        assertThat(page.select("#changes thead a").eachAttr("href")).allMatch(href -> href.endsWith("#cells"));
        assertThat(page.select("#changes pre, #changes code").text())
                .contains("| server | load | metric | change |", "| slower |", "/compare?a=" + run.baseline);
        Document all = page(path("&show=all"));
        assertThat(all.select("#changes tbody tr").size()).isGreaterThan(1);
        assertThat(all.select("#changes .verdict.equivalent").eachText()).containsOnly("equivalent");
        assertThat(all.select("#changes .missing").eachText()).contains("no verdict");
    }

    @Test
    void head_counts_verdicts_in_words_and_no_filter_changes_them() {
        String words = "1 slower, 7 equivalent, 1 inconclusive, 7 without a verdict of 16 cells × metrics";
        assertThat(page(path("")).select(".tally").text()).isEqualTo(words);
        String slower = "&scenario=" + encoded(run.scenario("slower"));
        for (String filter : List.of(slower, "&metric=rss_mib")) {
            assertThat(page(path(filter)).select(".tally").text()).isEqualTo(words);
        }
        String all = page(path(""))
                .select("#cells tbody tr")
                .getFirst()
                .select("td.wrap")
                .text();
        assertThat(page(path(slower))
                        .select("#cells tbody tr")
                        .getFirst()
                        .select("td.wrap")
                        .text())
                .isEqualTo(all);
    }

    @Test
    void exchanged_sides_mirror_the_page() {
        Document turned = page("/compare?a=" + run.candidate + "&b=" + run.baseline);
        assertThat(turned.select("#cells tbody tr")
                        .getFirst()
                        .select(".verdict.faster")
                        .text())
                .startsWith("faster, −");
        assertThat(turned.select(".tally").text()).startsWith("1 faster, 7 equivalent");
    }

    @Test
    void twins_carry_the_verdict() {
        JsonNode json = Objects.requireNonNull(client.get()
                .uri(URI.create(service.url() + "/compare.json?a=" + run.baseline + "&b=" + run.candidate))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody());
        JsonNode first = json.path("pairs").get(0);
        assertThat(first.path("method").asString()).isEqualTo("blocks");
        assertThat(first.at("/judged/outcome/verdict").asString()).isEqualTo("slower");
        assertThat(first.at("/judged/familySize").asInt()).isEqualTo(16);
        assertThat(json.at("/tally/slower").asInt()).isEqualTo(1);
        String csv = text("/compare.csv?a=" + run.baseline + "&b=" + run.candidate);
        assertThat(csv.lines().toList().getFirst())
                .contains(
                        "method,verdict,adjusted_p,family,blocks,suspect_blocks,decidable,findable,findable_low,findable_high,further_trials,further_trials_most,excluded_a,excluded_b,depends_on_lost,reason");
        assertThat(csv.lines().toList().get(1)).contains(",blocks,slower,");
    }

    @Test
    void several_runs_of_a_pair_are_named_each_and_pooled_on_the_page_and_its_twins() {
        RepeatedRuns runs = new RepeatedRuns(
                service.bean(DatabaseClient.class), service.bean(TransactionalOperator.class), "pages-repeated");
        runs.run("public", 0.2, RepeatedRuns.BLOCKS, "done");
        runs.run("public", 1.2, RepeatedRuns.BLOCKS - 1, "cancelled");
        runs.run("public", 0, 0, "cancelled");
        runs.run("public", 0.4, RepeatedRuns.BLOCKS, "done");
        String sides = "?a=" + runs.baseline + "&b=" + runs.candidate;
        String row =
                page("/compare" + sides).select("#cells tbody tr").getFirst().text();
        assertThat(row)
                .contains("3 of 4 runs pooled: +", "an estimate without a verdict")
                .containsPattern(
                        "each: \\+\\d.* · \\+\\d.*cut short: 3 of 4 blocks.* · not pooled: a side measured nothing.* · \\+\\d");
        JsonNode json = Objects.requireNonNull(client.get()
                .uri(URI.create(service.url() + "/compare.json" + sides))
                .exchange()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody());
        JsonNode attempts = json.at("/pairs/0/attempts");
        assertThat(attempts.at("/pooled/runs").asInt()).isEqualTo(3);
        assertThat(attempts.path("runs")).hasSize(4);
        assertThat(attempts.at("/runs/1/cutShortOf").asInt()).isEqualTo(RepeatedRuns.BLOCKS);
        assertThat(attempts.at("/runs/2/leftOut").asString()).isEqualTo("a side measured nothing");
        List<String> csv = text("/compare.csv" + sides).lines().toList();
        assertThat(csv.getFirst()).endsWith("reason,attempts,pooled_runs,pooled,pooled_low,pooled_high");
        assertThat(csv.get(1)).containsPattern(",4,3,1\\.\\d+,0\\.\\d+,1\\.\\d+$");
    }

    @Test
    void comparison_of_one_trial_each_has_no_interval_and_no_verdict() {
        Results.shared();
        Document page = shown(
                client,
                "/compare?a=" + Results.JDK_25 + "&b=" + Results.JDK_28_18 + "&scenario=" + encoded(Results.IO));
        assertThat(page.select("main").text())
                .as("once for all rows")
                .containsOnlyOnce("one trial each: no interval, no verdict");
        assertThat(page.select("svg.interval[aria-label^=95]")).isEmpty();
        assertThat(page.text()).contains("distribution difference");
        assertThat(page.select("tfoot").text()).contains("No geometric mean", "with one trial on a side");
    }

    @Test
    void comparison_of_ten_trials_each_draws_the_interval() {
        Results.shared();
        Document page = shown(
                client,
                "/compare?a=" + Results.JDK_28_17 + "&b=" + Results.JDK_28_18 + "&scenario=" + encoded(Results.MATMUL));
        assertThat(page.select("svg.interval[aria-label^=95]")).isNotEmpty();
        assertThat(page.text()).doesNotContain("distribution difference");
        assertThat(page.select("tfoot").text())
                .contains("Geometric mean", "covers the errors of the cells", "The spread between the cells is");
    }

    private String path(String more) {
        return "/compare?a=" + run.baseline + "&b=" + run.candidate + more;
    }

    private Document page(String path) {
        return shown(client, path);
    }
}
