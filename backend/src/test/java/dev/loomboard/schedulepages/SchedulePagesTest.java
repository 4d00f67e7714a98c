package dev.loomboard.schedulepages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.schedule.ScheduleRows;
import java.net.URI;
import java.time.Instant;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.reactive.function.BodyInserters;

final class SchedulePagesTest extends WebTest {

    private final ScheduleRows open = new ScheduleRows(service, "public");
    private final ScheduleRows closed = new ScheduleRows(service, "private");

    @Test
    void schedule_is_as_visible_as_its_matrix_and_machine_together() {
        String shown = open.schedule("0 0 2 * * ?", "Europe/Berlin", Instant.now());
        String hidden = closed.schedule("0 0 2 * * ?", "UTC", Instant.now());
        assertThat(page(client, "/schedules").select("a[href=" + ScheduleRows.path(shown) + "]"))
                .hasSize(1);
        assertThat(page(client, "/schedules").select("a[href=" + ScheduleRows.path(hidden) + "]"))
                .isEmpty();
        assertThat(page(as(Role.OWNER), "/schedules").select("a[href=" + ScheduleRows.path(hidden) + "]"))
                .hasSize(1);
        page(client, ScheduleRows.path(shown));
        client.get().uri(ScheduleRows.path(hidden)).exchange().expectStatus().isNotFound();
        open.execute("update machine set visibility = 'private' where external_id = '" + open.machine + "'");
        client.get().uri(ScheduleRows.path(shown)).exchange().expectStatus().isNotFound();
    }

    @Test
    void page_shows_five_firings_in_the_schedules_own_zone_and_the_past() {
        String id = open.schedule("0 30 2 * * ?", "Europe/Berlin", Instant.now(), "25", "latest-ea");
        open.execute(
                "insert into schedule_firing (schedule_id, fire_at, outcome, skip_kind, reason) select schedule_id,"
                        + " '2026-10-25T01:30:00Z', 'skipped', 'refused', 'No JDK matches.' from schedule where external_id = '"
                        + id
                        + "'");
        Document page = page(client, ScheduleRows.path(id));
        assertThat(page.select("#next li time")).hasSize(5);
        assertThat(page.select("#next").text()).contains("every night at 02:30").contains("+0");
        assertThat(page.select("#past tbody tr").text())
                .contains("Sun 2026-10-25 02:30 +01:00")
                .contains("No JDK matches.");
        assertThat(page.text()).contains("25 latest-ea");
        assertThat(page.select("form[action$=/pause], form[action$=/delete], a[href$=/edit]"))
                .isEmpty();
        assertThat(page(as(Role.OWNER), ScheduleRows.path(id)).select("form[action$=/pause]"))
                .hasSize(1);
    }

    @Test
    void twins_carry_their_schema() {
        String id = open.schedule("0 0 2 * * ?", "UTC", Instant.now());
        json(client, "/schedules.json").jsonPath("$.schema").isEqualTo("loomboard.schedules/1");
        json(client, ScheduleRows.path(id) + ".json")
                .jsonPath("$.schema")
                .isEqualTo("loomboard.schedule/1")
                .jsonPath("$.about.id")
                .isEqualTo(id)
                .jsonPath("$.about.words")
                .isEqualTo("every night at 02:00")
                .jsonPath("$.next.length()")
                .isEqualTo(5);
        json(as(Role.OWNER), "/schedules/new.json")
                .jsonPath("$.schema")
                .isEqualTo("loomboard.schedule-options/1")
                .jsonPath("$.machines[?(@.id == '" + open.machine + "')].title")
                .isEqualTo("Machine " + open.name);
    }

    @Test
    void owner_makes_changes_pauses_and_deletes() {
        WebTestClient owner = as(Role.OWNER);
        EntityExchangeResult<byte[]> made = send(owner, "/schedules/new", form(open, "title", "Nightly " + open.name));
        assertThat(made.getStatus()).isEqualTo(HttpStatus.SEE_OTHER);
        String path = location(made);
        assertThat(path).isEqualTo("/w/main/schedules/nightly-" + open.name);
        String id = page(owner, path).select("h1").text().isEmpty() ? "" : id(path);
        assertThat(open.audited("schedule.create", id)).isTrue();
        assertThat(open.number("select count(*) from qrtz_triggers where trigger_name = '" + id + "'"))
                .isEqualTo(1);

        Document edit = page(owner, path + "/edit");
        assertThat(edit.select("input[name=when][checked]").val()).isEqualTo("nightly");
        assertThat(edit.select("input[name=zone]").val()).isEqualTo("Europe/Berlin");
        send(
                owner,
                path + "/edit",
                form(open, "title", "Weekly", "when", "weekly", "weeklyDay", "MONDAY", "weeklyTime", "06:00"));
        assertThat(page(owner, path).select(".lead").text()).contains("Mondays at 06:00");

        send(owner, path + "/pause", form(open));
        assertThat(page(owner, path).text()).contains("Paused since");
        assertThat(open.number("select count(*) from qrtz_triggers where trigger_name = '" + id + "'"))
                .isZero();
        send(owner, path + "/resume", form(open));
        assertThat(open.number("select count(*) from qrtz_triggers where trigger_name = '" + id + "'"))
                .isEqualTo(1);

        EntityExchangeResult<byte[]> run = send(owner, path + "/run", form(open));
        assertThat(location(run)).startsWith("/runs/run_");
        EntityExchangeResult<byte[]> again = send(owner, path + "/run", form(open));
        assertThat(again.getStatus().value()).isEqualTo(422);
        assertThat(document(again).select("[role=alert]").text()).contains("still queued");
        assertThat(page(owner, path).select("#past tbody tr").text())
                .contains("hand")
                .contains("queued");

        assertThat(location(send(owner, path + "/delete", form(open)))).isEqualTo("/schedules");
        owner.get().uri(path).exchange().expectStatus().isNotFound();
        assertThat(open.audited("schedule.delete", id)).isTrue();
        String runId = location(run).substring("/runs/".length());
        assertThat(open.number("select count(*) from run where external_id = '" + runId + "'"))
                .isEqualTo(1);
    }

    @Test
    void refused_form_keeps_what_was_typed_beside_what_is_wrong() {
        EntityExchangeResult<byte[]> refused = send(
                as(Role.OWNER),
                "/schedules/new",
                form(open, "title", "", "when", "cron", "cron", "0 2 * * *", "zone", "Berlin", "jdks", "25 what?"));
        assertThat(refused.getStatus().value()).isEqualTo(422);
        Document page = document(refused);
        assertThat(page.select("#title-problem").text()).contains("1 to 80");
        assertThat(page.select("#cron-problem").text()).contains("five fields");
        assertThat(page.select("#zone-problem").text()).contains("Europe/Berlin");
        assertThat(page.select("#jdks-problem").text()).contains("what?");
        assertThat(page.select("input[name=cron]").val()).isEqualTo("0 2 * * *");
        assertThat(page.select("input[name=cron]").attr("aria-describedby")).isEqualTo("cron-problem");
        assertThat(page.select("input[name=jdks]").val()).isEqualTo("25 what?");
        assertThat(page.select("select[name=machine] option[selected]").val()).isEqualTo(open.machine);
    }

    @Test
    void machine_that_lacks_what_the_matrix_requires_is_refused_beside_its_field() {
        ScheduleRows rows = new ScheduleRows(service, "public");
        rows.require("{\"labels\": [], \"cores\": 64}");
        EntityExchangeResult<byte[]> refused = send(as(Role.OWNER), "/schedules/new", form(rows, "title", "Big"));
        assertThat(refused.getStatus().value()).isEqualTo(422);
        assertThat(document(refused).select("#machine-problem").text())
                .contains("lacks what the matrix requires: 64 cores (what it has is not known)");
    }

    @Test
    void enter_does_what_the_primary_button_does() {
        Document open = page(as(Role.OWNER), "/schedules/new");
        assertThat(open.select("form.form button[type=submit]").eachText().getFirst())
                .as("the form's first button, which Enter presses")
                .isEqualTo("Make the schedule");
        assertThat(open.select("form.form button[type=submit]").eachAttr("value"))
                .containsExactly("preview");
    }

    @Test
    void preview_comes_by_a_button_without_scripts_and_as_a_part_with_them() {
        EntityExchangeResult<byte[]> shown = send(
                as(Role.OWNER), "/schedules/new", form(open, "title", "", "do", "preview", "nightlyTime", "02:30"));
        assertThat(shown.getStatus()).isEqualTo(HttpStatus.OK);
        assertThat(document(shown).select("#preview li")).hasSize(5);
        assertThat(document(shown).select("#title-problem")).isEmpty();
        Document part = page(as(Role.OWNER), "/schedules/preview?when=nightly&nightlyTime=02:30&zone=Europe/Berlin");
        assertThat(part.select("li time")).hasSize(5);
        assertThat(part.select("html head title")).isEmpty();
        assertThat(part.text()).contains("does not exist, so nothing fires then");
        assertThat(page(as(Role.OWNER), "/schedules/preview?when=cron&cron=1+2&zone=UTC")
                        .text())
                .contains("cron has 2 fields");
    }

    @Test
    void what_a_firing_would_run_is_shown_on_the_form_before_it_is_saved_and_on_the_page_after() {
        ScheduleRows rows = new ScheduleRows(service, "public");
        String early = rows.build("28-ea+18", "ea");
        String older = "temurin-25.0.3-9-" + rows.name;
        String part = "/schedules/preview?when=nightly&nightlyTime=02:30&zone=UTC&matrix=" + rows.matrix + "&machine="
                + rows.machine + "&jdks=latest-ea";
        Document preview = page(as(Role.OWNER), part);
        assertThat(preview.text())
                .contains("JDK builds: " + early + " " + older + " (control)")
                .contains("2 cells, 2 trials")
                .contains("at most about")
                .contains("Machine " + rows.name + " takes it")
                .contains("assumed to vary by 2.5", "Adjusted within the family of 4 tests");
        assertThat(preview.select("table tbody tr")).hasSize(4);
        assertThat(preview.select("table tbody td").eachText()).anyMatch(cell -> cell.contains("too few trials"));
        String path = location(
                send(as(Role.OWNER), "/schedules/new", form(rows, "title", "Forecast", "jdks", "latest-ea 28-ea+17")));
        Document shown = page(client, path);
        assertThat(shown.select("#night").text())
                .contains(early, "selector \"28-ea+17\" matches no installed JDK; the nearest is " + early);
        assertThat(shown.select("#night .notice.warn")).hasSize(1);
        json(client, path + ".json").jsonPath("$.night.run.cells").isEqualTo(2);
        assertThat(page(as(Role.STRANGER), part).text()).doesNotContain(early);
    }

    @Test
    void word_that_is_no_selector_is_refused_with_what_may_be_meant() {
        Document refused =
                document(send(as(Role.OWNER), "/schedules/new", form(open, "title", "Typo", "jdks", "25 latst-ea")));
        assertThat(refused.select("#jdks-problem").text())
                .contains("must be a JDK selector (25, 28-ea", "is: latst-ea; did you mean latest-ea?");
    }

    @Test
    void owner_asks_for_new_builds_only() {
        ScheduleRows rows = new ScheduleRows(service, "public");
        WebTestClient owner = as(Role.OWNER);
        String path = location(send(owner, "/schedules/new", form(rows, "title", "Only new", "onlyNew", "on")));
        assertThat(page(owner, path + "/edit").select("#onlyNew[checked]")).hasSize(1);
        assertThat(page(owner, path).select("#night").text()).doesNotContain("Nothing new");
        String run = location(send(owner, path + "/run", form(rows)));
        rows.execute("update run set state = 'done', started_at = now() - interval '40 minutes', finished_at = now()"
                + " where external_id = '" + run.substring("/runs/".length()) + "'");
        assertThat(page(owner, path).select("#night .notice").text())
                .contains("The next firing is skipped unless a new build appears. Nothing new: temurin-25.0.3-9-");
        send(owner, path + "/edit", form(rows, "title", "Only new"));
        assertThat(page(owner, path + "/edit").select("#onlyNew[checked]")).isEmpty();
        assertThat(page(owner, path).select("#night").text()).doesNotContain("Nothing new");
    }

    @Test
    void calendar_of_a_schedule_that_did_not_fire_says_when_it_will() {
        String id = open.schedule("0 0 2 * * ?", "UTC", Instant.now());
        Document page = page(client, ScheduleRows.path(id));
        assertThat(page.select("#calendar table")).isEmpty();
        assertThat(page.select("#calendar .empty").text())
                .contains("No night yet", "Its next firing is on", "02:00 +00:00")
                .doesNotContain("Run now");
        assertThat(page(as(Role.OWNER), ScheduleRows.path(id))
                        .select("#calendar")
                        .text())
                .contains("press Run now");
        open.execute("update schedule set state = 'paused' where external_id = '" + id + "'");
        assertThat(page(client, ScheduleRows.path(id)).select("#calendar").text())
                .contains("Resume it");
    }

    @Test
    void calendar_says_what_came_of_each_night() {
        String id = open.schedule("0 0 2 * * ?", "UTC", Instant.now());
        open.execute(
                "insert into schedule_firing (schedule_id, fire_at, outcome, skip_kind, reason) select schedule_id,"
                        + " now() - interval '1 day' * n, 'skipped', k, r from schedule, (values (3, 'nothing-new', 'Nothing new: x.'),"
                        + " (4, 'missed', 'No service ran.'), (90, 'refused', 'Too old.')) v (n, k, r) where external_id = '"
                        + id + "'");
        Document page = page(client, ScheduleRows.path(id));
        assertThat(page.select("#calendar th[scope=col]").eachText())
                .containsExactly("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");
        assertThat(page.select("#calendar td time")).hasSize(30);
        assertThat(page.select("#calendar td .badge").eachText()).containsExactly("missed", "skipped");
        assertThat(page.select("#past tbody tr").text()).contains("Nothing new: x.", "Too old.");
    }

    @Test
    void strangers_things_cannot_be_chosen_nor_changed() {
        WebTestClient stranger = as(Role.STRANGER);
        assertThat(document(send(stranger, "/schedules/new", form(open)))
                        .select("#machine-problem")
                        .text())
                .contains("not yours");
        String shown = open.schedule("0 0 2 * * ?", "UTC", Instant.now());
        for (String action : new String[] {"pause", "resume", "run", "delete", "edit"}) {
            assertThat(send(stranger, ScheduleRows.path(shown) + "/" + action, form(open))
                            .getStatus())
                    .as(action)
                    .isEqualTo(HttpStatus.FORBIDDEN);
        }
        page(client, ScheduleRows.path(shown));
    }

    private String id(String path) {
        byte[] body = json(as(Role.OWNER), path + ".json")
                .jsonPath("$.about.id")
                .exists()
                .returnResult()
                .getResponseBody();
        String text = new String(Objects.requireNonNull(body), java.nio.charset.StandardCharsets.UTF_8);
        return text.replaceAll("(?s).*\"id\":\"(sch_[a-z2-7]{20})\".*", "$1");
    }

    static WebTestClient.BodyContentSpec json(WebTestClient as, String path) {
        return as.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentTypeCompatibleWith(MediaType.APPLICATION_JSON)
                .expectBody();
    }

    static LinkedMultiValueMap<String, String> form(ScheduleRows rows, String... fields) {
        LinkedMultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.set("title", "Nightly");
        form.set("matrix", rows.matrix);
        form.set("machine", rows.machine);
        form.set("when", "nightly");
        form.set("nightlyTime", "02:00");
        form.set("zone", "Europe/Berlin");
        for (int i = 0; i < fields.length; i += 2) {
            form.set(fields[i], fields[i + 1]);
        }
        return form;
    }

    static EntityExchangeResult<byte[]> send(WebTestClient as, String path, LinkedMultiValueMap<String, String> form) {
        return as.post()
                .uri(path)
                .body(BodyInserters.fromFormData(form))
                .exchange()
                .expectBody()
                .returnResult();
    }

    static String location(EntityExchangeResult<byte[]> result) {
        URI location = result.getResponseHeaders().getLocation();
        return Objects.requireNonNull(location, () -> "no redirect but " + result.getStatus())
                .getPath();
    }
}
