package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.schedule.ScheduleRows;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a script does with schedules, as the description has it. */
final class ScheduleContractTest extends WebTest {

    private static final String CREATE = "POST /api/v1/schedules";
    private static final String CHANGE = "PUT /api/v1/schedules/{slug}";
    private static final String PAUSE = "POST /api/v1/schedules/{slug}/pause";
    private static final String RESUME = "POST /api/v1/schedules/{slug}/resume";
    private static final String RUN = "POST /api/v1/schedules/{slug}/run";

    private final Conversation scripts = new Conversation(Contract.SCRIPTS);
    private final ScheduleRows rows = new ScheduleRows(service, "public");
    private final WebTestClient script = as(Role.SCHEDULE_TOKEN);

    @Test
    void script_makes_changes_pauses_resumes_and_runs_a_schedule() {
        ObjectNode request = request();
        scripts.call(client, CREATE, request).expect(401);
        scripts.call(as(Role.RUN_TOKEN), CREATE, request).expect(403);
        JsonNode made = scripts.call(script, CREATE, request).expect(201).json();
        String slug = made.get("schedule").asString();
        String page = made.get("url").asString();
        assertThat(page(client, page).select(".lead").text()).contains("every night at 02:00");
        String id = rows.text("select external_id from schedule where slug = '" + slug + "'");
        assertThat(number("select count(*) from qrtz_triggers where trigger_name = '" + id + "'"))
                .isEqualTo(1);
        assertThat(rows.text(
                        "select actor from audit_event where action = 'schedule.create' and subject = '" + id + "'"))
                .startsWith("tok_");

        scripts.call(script, CHANGE, request.put("cron", "0 0 6 ? * MON").put("zone", "Europe/Berlin"), slug)
                .expect(200);
        assertThat(page(client, page).select(".lead").text()).contains("Mondays at 06:00");
        scripts.call(script, PAUSE, null, slug).expect(204);
        assertThat(page(client, page).text()).contains("Paused since");
        scripts.call(script, RESUME, null, slug).expect(204);
        assertThat(page(client, page).text()).doesNotContain("Paused since");

        String run = scripts.call(script, RUN, null, slug)
                .expect(201)
                .json()
                .get("runId")
                .asString();
        assertThat(page(client, page).select("#past tbody tr").html()).contains(run);
        assertThat(scripts.call(as(Role.ADMIN_TOKEN), RUN, null, slug)
                        .expect(422)
                        .json()
                        .get("detail")
                        .asString())
                .contains("still queued");
    }

    @Test
    void what_is_wrong_is_refused_and_named_and_nothing_is_made() {
        long before = schedules();
        Refusals.check(Contract.SCRIPTS, CREATE, request(), bad -> scripts.send(script, CREATE, bad));
        for (String[] wrong : new String[][] {
            {"matrix", "no-such-matrix"},
            {"machine", "no-such-machine"},
            {"cron", "whenever"},
            {"zone", "Atlantis/Capital"},
            {"title", "…"}
        }) {
            JsonNode problem = scripts.call(script, CREATE, request().put(wrong[0], wrong[1]))
                    .expect(422)
                    .json();
            assertThat(problem.at("/errors/0/field").asString()).isEqualTo(wrong[0]);
        }
        assertThat(schedules()).isEqualTo(before);
    }

    /** The stranger's own workspace has a schedule of that name, too, which no token of another finds. */
    @Test
    void schedule_of_another_workspace_is_not_found() {
        String id = rows.schedule("0 0 2 * * ?", "UTC", java.time.Instant.now());
        execute("update schedule set workspace_id = (select workspace_id from workspace where slug = 'elsewhere')"
                + " where external_id = '" + id + "'");
        String slug = ScheduleRows.slug(id);
        for (String call : new String[] {PAUSE, RESUME, RUN}) {
            scripts.call(script, call, null, slug).expect(404);
        }
        scripts.call(as(Role.ADMIN_TOKEN), CHANGE, request(), slug).expect(404);
        execute("delete from schedule where external_id = '" + id + "'");
    }

    private ObjectNode request() {
        return (ObjectNode) JsonMapper.shared().readTree("""
                {"title": "By a script %1$s", "matrix": "%1$s", "machine": "%1$s", "cron": "0 0 2 * * ?", "zone": "UTC", "jdks": ["25"]}""".formatted(rows.name));
    }

    private long schedules() {
        return number(
                "select count(*) from schedule s join matrix x using (matrix_id) where x.slug = '" + rows.name + "'");
    }
}
