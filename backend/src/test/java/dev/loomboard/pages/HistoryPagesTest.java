package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What stands beside the points of a history: changes, what it can see, the host, notes. */
final class HistoryPagesTest extends ShownPages {

    private final Results.Ids ids = Results.shared();
    private final String path = "/series/" + ids.watchedSeries();

    @Test
    void changes_are_listed_with_their_state_and_evidence_and_drawn() {
        Document page = shown(client, path);
        List<Element> rows = page.select("[aria-label='Changes of the history'] tbody tr:not(.group)");
        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst().text())
                .contains("28-ea+98", "28-ea+97", "confirmed by its history", "worse", "1.20 → 1.31", "p < 0.0001");
        assertThat(rows.getLast().text()).contains("cleared", "the change is smaller than matters", "the same build");
        client.get()
                .uri(path + ".json")
                .exchange()
                .expectBody()
                .jsonPath("$.charts[0].marks.length()")
                .isEqualTo(3) // two changes and a note
                .jsonPath("$.tracks[0].changes[1].status")
                .isEqualTo("confirmed")
                .jsonPath("$.tracks[0].changes[1].good.slug")
                .isEqualTo(Results.JDK_28_17)
                .jsonPath("$.form")
                .doesNotExist();
        assertThat(text(path + ".csv")).contains("confirmed by its history", "segment,run,change,change_status");
    }

    @Test
    void nights_on_one_build_stand_side_by_side_in_chart_and_table() {
        JsonNode chart = JsonMapper.shared()
                .readTree(text(path + ".json"))
                .path("charts")
                .get(0);
        assertThat(chart.path("xLabels")).hasSize(2);
        assertThat(chart.path("marks").get(0).path("x").asDouble())
                .as("on the first build")
                .isBetween(-0.35, 0.35);
        assertThat(chart.path("marks").get(1).path("x").asDouble())
                .as("between the builds")
                .isEqualTo(0.5);
    }

    @Test
    void the_newest_points_are_listed_and_all_are_in_the_twins() {
        Document page = shown(client, path);
        assertThat(page.select("#points tbody tr:not(.group)")).hasSize(50);
        assertThat(page.select("#points").text())
                .contains("The newest 50 of 60 points on 2 builds. All are in the CSV")
                .contains("28-ea+98");
        assertThat(Objects.requireNonNull(
                                page.select("#points tbody tr:not(.group)").last())
                        .text())
                .as("the oldest that is listed")
                .contains("28-ea+97");
        assertThat(text(path + ".csv").lines()).hasSize(1 + 60);
        JsonNode twin = JsonMapper.shared().readTree(text(path + ".json"));
        assertThat(twin.path("tracks").get(0).path("points")).hasSize(60);
        JsonNode charts = JsonMapper.shared().readTree(text(path + ".json?part=charts"));
        assertThat(charts.has("tracks")).isFalse();
        assertThat(charts.path("charts")).isEqualTo(twin.path("charts"));
        assertThat(page.select("[data-charts]").attr("data-charts")).isEqualTo(path + ".json?part=charts");
        assertThat(page.select("figure[data-chart=history] table")).isEmpty();
        client.get()
                .uri("/series/" + ids.privateSeries() + ".json?part=charts")
                .exchange()
                .expectStatus()
                .isNotFound();
    }

    @Test
    void smallest_detectable_change_is_shown_with_what_it_is_calculated_from() {
        String text = shown(client, path).select("section:has(#detectable)").text();
        assertThat(text).contains("power 0.8", "44 paired blocks", "12 points on each side", "60 points", "r = 0.00");
        Document other = shown(client, "/series/" + ids.series());
        assertThat(other.text()).contains("Changes of this metric are not detected for this load");
        assertThat(other.select("[aria-label='Histories of this cell'] a").eachText())
                .as("where they are looked for")
                .containsExactly("Response excess median", "Server CPU per request", "Resident memory, peak");
        assertThat(other.select("[aria-label='Other histories of this cell'] [aria-current]")
                        .text())
                .as("itself, among those where they are not")
                .isEqualTo("Response time median");
    }

    @Test
    void a_range_is_cut_out_of_the_page_its_twins_and_its_changes() {
        Document all = shown(client, path);
        String range = "?range=newest-30";
        Document page = shown(client, path + range);
        assertThat(all.select("[aria-label='Points of each track'] a").eachText())
                .as("sixty nights: ninety are no choice")
                .containsExactly("All", "Newest 30");
        assertThat(page.select("[aria-label='Points of each track'] a[aria-current]")
                        .text())
                .isEqualTo("Newest 30");
        assertThat(page.select("#points tbody tr:not(.group)")).hasSize(30);
        assertThat(page.select("#points").text()).contains("30 points on 1 build; others are out of the range");
        assertThat(page.select("section:has(#changes)").text()).contains("none in this range");
        assertThat(page.select("[aria-label='The host over time'] tbody tr")).hasSize(1);
        assertThat(page.select("section:has(#detectable)").text())
                .as("what it can see does not depend on what is shown")
                .isEqualTo(all.select("section:has(#detectable)").text());
        assertThat(page.select("[data-charts]").attr("data-charts"))
                .isEqualTo(path + ".json?part=charts&range=newest-30");

        JsonNode twin = JsonMapper.shared().readTree(text(path + ".json" + range));
        assertThat(twin.path("range").asString()).isEqualTo("newest-30");
        assertThat(twin.path("tracks").get(0).path("points")).hasSize(30);
        assertThat(twin.path("tracks")
                        .get(0)
                        .path("points")
                        .get(0)
                        .path("segment")
                        .asInt())
                .as("the segment that it has among all")
                .isEqualTo(1);
        assertThat(twin.path("tracks").get(0).path("changes")).isEmpty();
        JsonNode chart = twin.path("charts").get(0);
        assertThat(chart.path("xLabels")).hasSize(1);
        assertThat(chart.path("marks")).as("the note").hasSize(1);
        assertThat(chart.path("caption").asString()).contains("newest 30 points");
        assertThat(text(path + ".csv" + range).lines()).hasSize(1 + 30);
        assertThat(JsonMapper.shared()
                        .readTree(text(path + ".json"))
                        .path("range")
                        .asString())
                .isEqualTo("all");
        for (String twinOf : List.of("", ".json", ".csv")) {
            client.get()
                    .uri(path + twinOf + "?range=yesterday")
                    .exchange()
                    .expectStatus()
                    .isEqualTo(422);
        }
    }

    @Test
    void builds_are_chosen_by_name_whichever_comes_first() {
        Document all = shown(client, path);
        assertThat(all.select("form[aria-label='Builds to show'] #from option").eachText())
                .as("oldest first, as on the axis")
                .containsExactly("the oldest", "28-ea+97", "28-ea+98");
        String older = "?from=" + Results.JDK_28_17 + "&to=" + Results.JDK_28_17;
        Document page = shown(client, path + older);
        assertThat(page.select("#to option[selected]").text()).isEqualTo("28-ea+97");
        assertThat(page.select("#points").text()).contains("points on 1 build; others are out of the range");
        assertThat(page.select("#points tbody tr:not(.group) th").eachText())
                .isNotEmpty()
                .allMatch("28-ea+97"::equals);
        assertThat(page.select("section:has(#detectable)").text())
                .as("what it can see does not depend on what is shown")
                .isEqualTo(all.select("section:has(#detectable)").text());
        assertThat(page.select("[aria-label='Points of each track'] a").eachText())
                .as("back to all")
                .contains("All");
        JsonNode twin = JsonMapper.shared().readTree(text(path + ".json" + older));
        assertThat(twin.path("from").asString()).isEqualTo(Results.JDK_28_17);
        assertThat(twin.path("charts").get(0).path("xLabels")).hasSize(1);
        assertThat(shown(client, path + "?from=&to=").select("#points").text())
                .as("of a form where nothing was chosen")
                .contains("60 points on 2 builds");
        String newer = JsonMapper.shared()
                .readTree(text(path + ".json"))
                .path("charts")
                .get(0)
                .path("xLabels")
                .get(1)
                .path("key")
                .asString();
        assertThat(text(path + ".csv?from=" + newer + "&to=" + Results.JDK_28_17)
                        .lines())
                .as("the newer one first")
                .hasSize(1 + 60);
        client.get()
                .uri(path + "?from=no-such-build")
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody(String.class)
                .value(text -> assertThat(text).contains("must be the slug of a build", newer));
    }

    @Test
    void chart_has_one_line_a_track_with_its_segments_lanes_and_undetectable_range() {
        JsonNode chart = JsonMapper.shared()
                .readTree(text(path + ".json"))
                .path("charts")
                .get(0);
        JsonNode line = chart.path("lines").get(0);
        assertThat(chart.path("lines")).hasSize(1);
        assertThat(line.path("name").asString()).doesNotContain("change");
        assertThat(line.path("breaks")).as("where the host changed").hasSize(1);
        JsonNode begins = line.path("points").get(line.path("breaks").get(0).asInt());
        assertThat(begins.path("facts").toString()).contains("the host changed: not comparable");
        assertThat(line.path("points").get(1).path("facts").toString()).contains("against the point before");
        assertThat(chart.path("bands")).hasSize(2);
        assertThat(chart.path("bands").get(1).path("name").asString()).isEqualTo("the host changed");
        assertThat(chart.path("bands").get(1).path("from").asDouble())
                .isEqualTo(chart.path("bands").get(0).path("to").asDouble())
                .isLessThan(begins.path("x").asDouble());
        assertThat(chart.path("lanes").findValuesAsString("name")).contains("Server", "Host");
        assertThat(chart.path("lanes").get(1).path("stretches").findValuesAsString("name"))
                .as("by kernel")
                .containsExactly("6.12.0", "6.12.1");
        JsonNode reach = chart.path("reaches").get(0);
        assertThat(reach.path("from").asDouble())
                .as("between the last point of the level before and the first of this")
                .isBetween(0.34, 0.66);
        assertThat(reach.path("to").asDouble()).isEqualTo(1.5);
        assertThat(reach.path("low").asDouble()).isBetween(1.0, 1.31);
        assertThat(reach.path("high").asDouble()).isBetween(1.31, 1.6);
    }

    @Test
    void host_changes_are_listed_and_start_a_segment() {
        Document page = shown(client, path);
        List<Element> hosts = page.select("[aria-label='The host over time'] tbody tr");
        assertThat(hosts).hasSize(2);
        assertThat(hosts.getFirst().text())
                .contains(
                        "6.12.1",
                        "microcode 0x5003901",
                        "not readable",
                        "kernel.release 6.12.0 → 6.12.1",
                        "not comparable");
        assertThat(page.select("#points tbody tr").text()).contains("the host changed");
    }

    @Test
    void an_owner_adds_and_removes_a_note_which_everybody_sees() {
        EntityExchangeResult<byte[]> added =
                post(as(Role.OWNER), path + "/notes", "2026-11-03", Results.JDK_28_17, " Kernel by hand <b>today</b> ");
        assertThat(added.getStatus().value()).isEqualTo(303);
        Element note = Objects.requireNonNull(
                shown(client, path).select(".notes li:contains(by hand)").first());
        assertThat(note.text()).contains("Kernel by hand <b>today</b>", "2026-11-03", "28-ea+97", "Owner");
        assertThat(note.select("form")).as("who may not change it").isEmpty();
        assertThat(shown(client, path).select("details:contains(Add a note)")).isEmpty();
        Element mine = Objects.requireNonNull(shown(as(Role.OWNER), path)
                .select(".notes li:contains(by hand) form")
                .first());
        String remove = mine.attr("action");
        assertThat(post(as(Role.STRANGER), remove, "", "", "").getStatus().value())
                .isEqualTo(403);
        assertThat(post(as(Role.OWNER), remove, "", "", "").getStatus().value()).isEqualTo(303);
        assertThat(shown(client, path).text()).doesNotContain("by hand");
        assertThat(post(as(Role.OWNER), remove, "", "", "").getStatus().value()).isEqualTo(404);
        assertThat(number("select count(*) from audit_event where action in ('annotation.add', 'annotation.remove')"
                        + " and detail ->> 'note' like '%by hand%'"))
                .isEqualTo(2);
    }

    @Test
    void a_note_that_is_refused_keeps_what_was_typed() {
        EntityExchangeResult<byte[]> refused = post(as(Role.OWNER), path + "/notes", "yesterday", "", "It rained");
        assertThat(refused.getStatus().value()).isEqualTo(422);
        Document page = document(refused);
        assertThat(page.select("details[open] textarea").text()).isEqualTo("It rained");
        assertThat(page.select("#day").val()).isEqualTo("yesterday");
        assertThat(page.select("#day-problem").text()).contains("2026-11-21");
        Document elsewhere = document(
                post(as(Role.OWNER), path + "/notes", "2026-11-03", Results.JDK_25, "Of a build it never had"));
        assertThat(elsewhere.select("#build-problem").text()).contains("no point on that build");
        assertThat(elsewhere.select("details[open] textarea").text()).isEqualTo("Of a build it never had");
        Document empty = document(post(as(Role.OWNER), path + "/notes", "2026-11-03", "", "  "));
        assertThat(empty.select("#note-problem").text()).isNotBlank();
        Document tooLong = document(post(as(Role.OWNER), path + "/notes", "2026-11-03", "", "x".repeat(2001)));
        assertThat(tooLong.select("#note-problem").text()).contains("2001");
    }

    @Test
    void notes_are_for_owners_and_a_private_series_is_not_there_for_strangers() {
        assertThat(post(as(Role.STRANGER), path + "/notes", "2026-11-03", "", "Mine")
                        .getStatus()
                        .value())
                .isEqualTo(403);
        String hidden = "/series/" + ids.privateSeries() + "/notes";
        assertThat(post(as(Role.STRANGER), hidden, "2026-11-03", "", "Mine")
                        .getStatus()
                        .value())
                .isEqualTo(404);
        assertThat(post(client, path + "/notes", "2026-11-03", "", "Nobody's")
                        .getStatus()
                        .value())
                .isEqualTo(403);
    }

    private static EntityExchangeResult<byte[]> post(
            WebTestClient as, String path, String day, String build, String note) {
        return as.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .body(BodyInserters.fromFormData("day", day)
                        .with("build", build)
                        .with("note", note))
                .exchange()
                .expectBody()
                .returnResult();
    }
}
