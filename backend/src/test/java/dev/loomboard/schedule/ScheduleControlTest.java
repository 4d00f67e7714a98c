package dev.loomboard.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.BodyInserters;

/** The build that stays: which one a firing takes, how long it is kept, and what its owner reads and says. */
final class ScheduleControlTest extends WebTest {

    private static final Instant FIRST = Instant.parse("2026-01-01T00:10:00Z");

    private final ScheduleRows rows = new ScheduleRows(service, "public");
    private final FiringService firings = service.bean(FiringService.class);
    private final String candidate = "temurin-25.0.3-9-" + rows.name;
    private final String id = rows.schedule("0 * * * * ?", "UTC", Instant.parse("2026-01-01T00:00:00Z"));
    private int fired;

    @Test
    void each_run_measures_its_cells_on_the_newest_other_release_too_and_keeps_to_it() {
        String old = rows.build("21.0.9+10", "ga");
        rows.build("26+30", "ea");
        rows.build("21.0.8+9", "ga");
        fire();
        assertThat(rows.builds(id)).isEqualTo(old + ": " + candidate + " " + old);
        assertThat(rows.number("select planned_trials::bigint from run where created_by = '" + id + "'"))
                .isEqualTo(2);
        rows.build("24.0.2+12", "ga");
        fire();
        assertThat(rows.builds(id))
                .as("a newer release does not take its place")
                .startsWith(old + ": ");
        assertThat(text("control_note")).startsWith("Chosen by the service: the newest release except " + candidate);
    }

    @Test
    void control_that_is_gone_gives_way_to_another_with_a_notice() {
        String old = rows.build("21.0.9+10", "ga");
        fire();
        rows.remove(old);
        String other = rows.build("26+30", "ea");
        fire();
        assertThat(rows.builds(id)).isEqualTo(other + ": " + candidate + " " + other);
        assertThat(page(client, ScheduleRows.path(id))
                        .select("#control .notice")
                        .text())
                .contains(
                        "The previous control, " + old,
                        "Nights before and after this change are not compared",
                        "In use since")
                .contains("the oldest build, because there is no release");
        rows.build("25.0.4+8", "ga");
        fire();
        assertThat(rows.builds(id))
                .as("of 25 the newest is measured now; the control stays")
                .startsWith(other + ": ");
    }

    @Test
    void machine_with_one_build_has_no_control_and_says_so() {
        fire();
        assertThat(rows.builds(id)).isEqualTo("none: " + candidate);
        assertThat(page(client, ScheduleRows.path(id)).select("#control").text())
                .contains("No control: The machine has no other build than " + candidate);
    }

    @Test
    void build_that_is_measured_anyway_costs_nothing() {
        String both = rows.schedule(
                "0 * * * * ?", "UTC", Instant.parse("2026-01-01T00:00:00Z"), "25", rows.build("21.0.9+10", "ga"));
        assertThat(page(client, ScheduleRows.path(both)).select("#control").text())
                .contains("the matrix measures it anyway, so it adds no trials");
    }

    @Test
    void page_and_preview_say_what_it_costs_before_it_is_chosen() {
        String old = rows.build("21.0.9+10", "ga");
        String shown = page(client, ScheduleRows.path(id)).select("#control").text();
        assertThat(shown).contains(old + " alternates with each cell", "1 trial, at most about 7");
        client.get()
                .uri(ScheduleRows.path(id) + ".json")
                .exchange()
                .expectBody()
                .jsonPath("$.control.on")
                .isEqualTo(true)
                .jsonPath("$.control.trials")
                .isEqualTo(1);
        String preview =
                "/schedules/preview?when=nightly&nightlyTime=02:00&zone=UTC&machine=" + rows.machine + "&matrix=";
        assertThat(page(as(Role.OWNER), preview + rows.matrix).text()).contains(old, "1 trial, at most about");
        assertThat(page(as(Role.OWNER), preview).text()).doesNotContain("control");
        assertThat(page(as(Role.STRANGER), preview + rows.matrix).text()).doesNotContain(old);
    }

    @Test
    void owner_turns_it_off_reads_what_is_lost_and_names_another() {
        String old = rows.build("21.0.9+10", "ga");
        String older = rows.build("21.0.8+9", "ga");
        WebTestClient owner = as(Role.OWNER);
        assertThat(page(owner, ScheduleRows.path(id)).select("#control select[name=control] option"))
                .extracting(option -> option.text())
                .containsExactlyInAnyOrder("chosen by the service", candidate, old, older, "none");
        assertThat(page(client, ScheduleRows.path(id)).select("#control select"))
                .isEmpty();
        assertThat(send(owner, "off")).isEqualTo(303);
        fire();
        assertThat(rows.builds(id)).isEqualTo("none: " + candidate);
        assertThat(page(client, ScheduleRows.path(id)).select("#control").text())
                .contains("Without a control, no nightly screening runs", "a slowdown of a build");
        assertThat(send(owner, older)).isEqualTo(303);
        fire();
        assertThat(rows.builds(id)).startsWith(older + ": ");
        assertThat(text("control_note")).isEqualTo("An owner chose it.");
        assertThat(send(owner, candidate))
                .as("the candidate is not its own control")
                .isEqualTo(422);
        assertThat(send(owner, "temurin-8")).isEqualTo(422);
        assertThat(send(as(Role.STRANGER), old)).isEqualTo(403);
        fire();
        assertThat(rows.builds(id)).startsWith(older + ": ");
        assertThat(rows.audited("schedule.control", id)).isTrue();
    }

    private void fire() {
        rows.endRuns(id);
        Firing firing = firings.fire(id, FIRST.plusSeconds(60L * fired++)).block(ScheduleRows.TIMEOUT);
        assertThat(Objects.requireNonNull(firing)).isInstanceOf(Firing.Queued.class);
    }

    private String text(String column) {
        return rows.text("select " + column + " from schedule where external_id = '" + id + "'");
    }

    private int send(WebTestClient as, String control) {
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.setAll(Map.of("control", control));
        return as.post()
                .uri(ScheduleRows.path(id) + "/control")
                .body(BodyInserters.fromFormData(form))
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }
}
