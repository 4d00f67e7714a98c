package dev.loomboard.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.inbox.ShownControl;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;

/** Changes that their history confirmed, beside builds that stayed, on a real database. The service's own job may look first. */
final class ControlServiceTest extends WebTest {

    private final ShownControl shown = new ShownControl(service, "public");
    private final String path = "/regressions/" + shown.change;

    @Test
    void control_that_stays_is_said_with_its_interval_and_the_change_remains_against_it() {
        shown.nights(1);
        shown.confirm();
        assertThat(page(client, path).text())
                .contains("The control did not change: ", "(95 %: ", "4 nights before and 4 after")
                .contains("Relative to the control the change is +20", "so the host does not explain it")
                .contains("One control: the same cell on the fixed build " + shown.pinned)
                .contains("The changes found by history alone remain relative to", "the host does not explain them");
        JsonNode control = answer(client, shown).path("control");
        assertThat(control.path("controls").asInt()).isEqualTo(1);
        assertThat(control.path("sentence").asString()).contains("The control did not change");
        assertThat(control.at("/beside/build").asString()).isEqualTo(shown.pinned);
        assertThat(control.at("/beside/moved").asString()).isEqualTo("still");
        assertThat(control.at("/beside/left").asString()).isEqualTo("remains");
        assertThat(control.at("/beside/against").asDouble()).isBetween(1.19, 1.21);
        assertThat(control.at("/beside/againstLow").asDouble()).isGreaterThan(1.18);
        assertThat(json(client, path + ".json").path("control")).isEqualTo(control);
    }

    @Test
    void shifted_history_is_confirmed_by_its_nights_against_a_control() {
        nights(shown, 5, 1);
        shift(shown);
        assertThat(shown.column("status")).isEqualTo("confirmed");
        assertThat(shown.column("confirmed_by")).isEqualTo("history");
        assertThat(page(client, path).text())
                .contains("confirmed by history and control", "and confirmed relative to a control");
    }

    @Test
    void shift_of_both_is_the_hosts_and_told_to_nobody() {
        nights(shown, 5, 1.2);
        shift(shown);
        assertThat(shown.column("status")).isEqualTo("cleared");
        assertThat(shown.column("history_reason")).contains("the control changed as well; the host is the cause");
        assertThat(feed()).doesNotContain(shown.change);
    }

    @Test
    void shift_without_a_control_is_not_attributed_and_told_to_nobody() {
        shift(shown);
        assertThat(shown.column("status")).isEqualTo("suspect");
        assertThat(shown.column("history_reason")).isNull();
        assertThat(page(client, path).text())
                .contains("shifted, p < 0.0001, not attributed", "No control: no matching cell");
        assertThat(feed()).doesNotContain(shown.change);
        nights(shown, 5, 1);
        shown.look();
        assertThat(shown.column("status")).as("one that comes later tells").isEqualTo("confirmed");
    }

    @Test
    void four_nights_of_a_level_tell_nothing_of_a_suspect() {
        shown.nights(1);
        shift(shown);
        assertThat(shown.column("against_left")).isEqualTo("remains");
        assertThat(shown.column("status")).isEqualTo("suspect");
    }

    @Test
    void first_control_with_enough_nights_decides_and_none_is_asked_again() {
        for (int i = 0; i < 5; i++) {
            shown.night(Map.of(shown.rows.good, 1 + 0.4 * (i % 2), shown.pinned, 2.0));
            shown.night(Map.of(shown.rows.young, 1.2 + 0.4 * (i % 2), shown.pinned, 2.0));
        }
        shift(shown);
        assertThat(shown.column("status")).isEqualTo("suspect");
        assertThat(shown.column("history_reason")).startsWith("relative to its control: ");
        nights(shown, 12, 1);
        shown.look();
        assertThat(shown.column("status")).isEqualTo("suspect");
    }

    /** As if its history had been looked at and shown a shift. */
    private static void shift(ShownControl of) {
        of.rows.run(
                "update change_point set history_at = now(), history_change = 0.2, history_p = 1e-9 where external_id = :id",
                Map.of("id", of.change));
        of.look();
    }

    private static void nights(ShownControl of, int each, double moved) {
        for (int i = 0; i < each; i++) {
            double noise = 1 + 0.001 * (i % 3);
            of.night(Map.of(of.rows.good, noise, of.pinned, 2 * (1 + 0.001 * (i % 2))));
            of.night(Map.of(of.rows.young, 1.2 * noise, of.pinned, moved * 2 * (1 + 0.001 * (i % 2))));
        }
    }

    @Test
    void control_that_moves_along_points_to_the_host() {
        shown.nights(1.2);
        shown.confirm();
        assertThat(page(client, path).text())
                .contains("The control changed as well: +20", "so the change disappears once the host is accounted for")
                .contains(
                        "The control (the same cell on a fixed build) changed together",
                        "the host is the probable cause");
        assertThat(page(client, "/regressions?machine=" + shown.rows.name).text())
                .contains("the host is the probable cause");
    }

    @Test
    void without_one_that_is_said_and_it_is_looked_for_again_when_nights_arrive() {
        shown.look();
        assertThat(page(client, path).text()).contains("No control was looked for: only changes that are confirmed");
        shown.confirm();
        assertThat(page(client, path).text())
                .contains("No control: no matching cell", "a change of the host cannot be ruled out");
        JsonNode none = answer(client, shown).path("control");
        assertThat(none.path("controls").asInt(-1)).isEqualTo(0);
        assertThat(none.path("beside").isNull()).isTrue();
        shown.nights(1);
        shown.look();
        assertThat(shown.column("control_moved")).isEqualTo("still");
    }

    @Test
    void run_is_one_night_however_many_builds_of_a_level_it_measured() {
        String old = shown.rows.build("25.0.0+9");
        for (int i = 0; i < 2; i++) {
            shown.night(Map.of(old, 1.0, shown.rows.good, 1.0, shown.pinned, 2.0));
        }
        for (int i = 0; i < 4; i++) {
            shown.night(Map.of(shown.rows.young, 1.2, shown.pinned, 2.0));
        }
        shown.confirm();
        assertThat(shown.column("controls"))
                .as("two nights before are too few, though they measured two builds each")
                .isEqualTo("0");
        shown.night(Map.of(shown.rows.good, 1.0, shown.pinned, 2.0));
        shown.look();
        assertThat(shown.column("control_before")).isEqualTo("3");
    }

    @Test
    void run_that_measured_both_levels_is_a_night_of_the_new_one() {
        for (int i = 0; i < 4; i++) {
            shown.night(Map.of(shown.rows.good, 1.0, shown.pinned, 2.0));
            shown.night(Map.of(shown.rows.good, 1.1, shown.rows.young, 1.32, shown.pinned, 2.2));
        }
        shown.confirm();
        assertThat(shown.column("control_before")).isEqualTo("4");
        assertThat(shown.column("control_after")).isEqualTo("4");
        assertThat(shown.column("control_moved")).isEqualTo("moved");
        assertThat(shown.column("against_left")).isEqualTo("remains");
    }

    @Test
    void several_controls_are_pooled_night_by_night() {
        String other = shown.between.get(1);
        for (int i = 0; i < 5; i++) {
            double unquiet = i % 2 == 0 ? 1.1 : 1 / 1.1; // what one does, the other does not
            night(i < 4, Map.of(shown.rows.good, 1.0, shown.pinned, 2 * unquiet, other, 4 / unquiet));
            night(i < 4, Map.of(shown.rows.young, 1.2, shown.pinned, 2 / unquiet, other, 4 * unquiet));
        }
        shown.confirm();
        assertThat(page(client, path).text())
                .contains(
                        "The control did not change: ",
                        "2 controls, averaged for each night: the same cell on the fixed builds " + shown.pinned
                                + " and " + other,
                        "in 5 nights before and 5 after");
        assertThat(shown.column("against_left")).isEqualTo("remains");
        JsonNode beside = answer(client, shown).at("/control/beside");
        assertThat(beside.path("builds").valueStream().map(JsonNode::asString)).containsExactly(shown.pinned, other);
    }

    /** @param both else without the second control */
    private void night(boolean both, Map<String, Double> means) {
        Map<String, Double> ran = new HashMap<>(means);
        if (!both) {
            ran.remove(shown.between.get(1));
            ran.replace(shown.pinned, 2.0);
        }
        shown.night(ran);
    }

    @Test
    void control_that_was_stored_when_one_alone_was_taken_stays_readable() {
        shown.nights(1);
        shown.confirm();
        shown.rows.run(
                "update change_point set control_builds = null, controls = 2 where external_id = :id",
                Map.of("id", shown.change));
        assertThat(page(client, path).text())
                .contains("Of 2 controls (the same cell on fixed builds) the one that ran most often: " + shown.pinned);
        assertThat(answer(client, shown).at("/control/beside/builds").isNull()).isTrue();
    }

    @Test
    void level_ends_where_the_detector_sees_another_change() {
        shown.nights(1);
        String fixed = shown.rows.build("25.0.3+9");
        for (int i = 0; i < 4; i++) {
            shown.night(Map.of(fixed, 1.0, shown.pinned, 2.0));
        }
        shown.rows.run("""
                insert into change_point (workspace_id, series_id, jdk_build_id, good_build_id, q_hat, p, before, after, direction,
                                          standing, methodology)
                select cp.workspace_id, cp.series_id, j.jdk_build_id, cp.jdk_build_id, 9.5, 1e-6, 1.2, 1, 'better', true, '1'
                  from change_point cp, jdk_build j where cp.external_id = :id and j.slug = :fixed
                """, Map.of("id", shown.change, "fixed", fixed));
        shown.confirm();
        assertThat(shown.column("control_after")).isEqualTo("4");
        assertThat(shown.column("against_left")).isEqualTo("remains");
    }

    @Test
    void what_is_retracted_is_no_control_before_that_is_withdrawn() {
        List<Long> nights = shown.nights(1);
        RetractedTest.retract(shown.rows);
        nights.forEach(run -> shown.rows.run(
                "update point set server_digest = :digest where run_id = :run",
                Map.of("digest", shown.rows.name, "run", run)));
        shown.confirm();
        assertThat(shown.column("control_at")).isNull();
        RetractedTest.withdraw(shown.rows);
        shown.look();
        assertThat(shown.column("controls")).isEqualTo("1");
    }

    @Test
    void nights_on_another_server_or_host_or_of_a_rerun_are_no_controls() {
        for (String sql : List.of(
                "update point set fingerprint_hash = 'other' where run_id = :run",
                "update point set server_digest = 'other' where run_id = :run",
                "update point set eligible = false where run_id = :run",
                "update run set follow_up = true where run_id = :run")) {
            ShownControl spoilt = new ShownControl(service, "public");
            spoil(spoilt, spoilt.nights(1), sql);
            spoilt.confirm();
            assertThat(spoilt.column("controls")).as(sql).isEqualTo("0");
        }
    }

    @Test
    void private_nights_say_nothing_of_a_public_change_and_controls_of_what_is_private_are_its_members_alone() {
        spoil(shown, shown.nights(1), "update run set visibility = 'private' where run_id = :run");
        shown.confirm();
        assertThat(shown.column("controls")).isEqualTo("0");

        ShownControl hidden = new ShownControl(service, "private");
        hidden.nights(1);
        hidden.confirm();
        assertThat(answer(as(Role.TOKEN), hidden).at("/control/beside/build").asString())
                .isEqualTo(hidden.pinned);
        for (WebTestClient stranger : List.of(client, as(Role.STRANGER))) {
            for (String twin : List.of("", ".json")) {
                stranger.get()
                        .uri("/regressions/" + hidden.change + twin)
                        .exchange()
                        .expectStatus()
                        .isNotFound();
            }
            assertThat(answers(stranger, hidden)).isEmpty();
        }
    }

    @Test
    void feed_says_of_a_regression_what_it_said_before_there_were_controls() {
        shown.nights(1);
        shown.confirm();
        String entry = feed();
        String summary = entry.substring(entry.indexOf(shown.change));
        summary = summary.substring(0, summary.indexOf("</entry>"));
        assertThat(summary).contains("Confirmed by history and control.").doesNotContain("The control");
    }

    private String feed() {
        return new String(
                Objects.requireNonNull(client.get()
                        .uri("/regressions.atom")
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBody()),
                StandardCharsets.UTF_8);
    }

    private static void spoil(ShownControl of, List<Long> nights, String sql) {
        nights.forEach(run -> of.rows.run(sql, Map.of("run", run)));
    }

    private static JsonNode json(WebTestClient as, String path) {
        return Objects.requireNonNull(as.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody());
    }

    private static JsonNode answer(WebTestClient as, ShownControl of) {
        List<JsonNode> answers = answers(as, of);
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    private static List<JsonNode> answers(WebTestClient as, ShownControl of) {
        return json(as, "/api/v1/regressions?machine=" + of.rows.name)
                .path("regressions")
                .valueStream()
                .toList();
    }
}
