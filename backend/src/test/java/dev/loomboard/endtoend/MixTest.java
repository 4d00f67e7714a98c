package dev.loomboard.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A workload of two operations, of which one fails every other time: from its file over the agent and the wire to the pages. */
@Measuring
final class MixTest {

    private static final String SERVER = """
            schema: loomboard.server/1
            kind: process
            name: plain
            title: Python serves its folder
            command: [python3, -m, http.server, '{port}', --bind, '{address}']
            files: [page1]
            readiness: {path: /}
            workloads: [visits]
            """;

    /** There is page 1 and no page 2. */
    private static final String WORKLOADS = """
            schema: loomboard.workloads/1
            workloads:
              visits:
                version: 1
                title: Lists the folder and reads of it
                seed: 7
                data: {ranges: {page: {from: 1, to: 2}}}
                operations:
                  list: {weight: 3, method: GET, path: /, success: {status: 200}}
                  read: {weight: 1, method: GET, path: "/page{page}", success: {contains: a page}}
            """;

    private static final String MATRIX = Installation.MATRIX
            .replace("server: spring-mvc, variants: [virtual]", "server: plain, variants: [default]")
            .replace("workload: io, params: {delayMs: 20}", "workload: visits")
            .replace("seconds: 10}", "seconds: 4}");

    private Installation here;

    @BeforeEach
    void install() throws Exception {
        here = new Installation("mix");
        Path server = here.write("servers/plain/server.yaml", SERVER);
        here.write("servers/plain/workloads.yaml", WORKLOADS);
        here.write("servers/plain/page1", "a page");
        here.setUp(MATRIX, " --servers " + server.resolve("../..").normalize());
    }

    @AfterEach
    void remove() throws Exception {
        here.close();
    }

    @Test
    void operations_of_a_mix_are_shown_as_the_agent_counted_them() throws Exception {
        String run = here.person.runsItNow();
        AgentProgram.Running running = here.agent.run();
        JsonNode trials = here.awaitEnd(run, running).path("trials");
        running.stop();
        assertThat(trials)
                .as("%s", trials)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.path("state").asString()).isEqualTo("done"));
        String trial = trials.path(0).path("trialId").asString();

        JsonNode sent = sent(trial);
        JsonNode shown = here.json("/trials/" + trial + ".json").path("operations");
        assertThat(counts(shown)).hasSize(2).isEqualTo(counts(sent));
        JsonNode list = shown.path(0);
        JsonNode read = shown.path(1);
        assertThat(list.path("name").asString()).isEqualTo("list");
        assertThat(list.path("failed").asLong()).isZero();
        long offered = read.path("offered").asLong();
        assertThat(list.path("offered").asLong() + offered).isEqualTo(200);
        assertThat(offered).isBetween(25L, 75L); // drawn by weight
        assertThat(read.path("failed").asLong()).isBetween(offered / 2 - 1, offered / 2 + 1); // its rows take turns
        assertThat(read.at("/errors/0/class").asString()).isEqualTo("status");
        assertThat(list.at("/metrics/response_p50_ms/value").asDouble()).isPositive();
        assertThat(read.at("/metrics/error_ratio/value").asDouble())
                .isEqualTo(read.path("failed").asDouble() / offered);
        assertThat(here
                        .rows(
                                "select operation, encode(response, 'base64') from step_operation join trial using (trial_id)"
                                        + " where external_id = '" + trial + "' order by operation")
                        .stream()
                        .map(row -> List.of(row.getFirst(), row.getLast().replace("\n", "")))
                        .toList())
                .isEqualTo(sent.valueStream()
                        .map(o -> List.of(
                                o.path("name").asString(), o.path("response").asString()))
                        .toList());

        Page page = here.browser.page;
        page.navigate(here.address() + "/trials/" + trial);
        looksRight("trial");
        Locator rows = page.locator("#operations tbody tr");
        assertThat(rows).hasCount(3);
        assertThat(rows.nth(0)).containsText("all operations");
        assertThat(rows.nth(1)).containsText("list");
        assertThat(rows.nth(2).locator("[data-label=Sent]"))
                .hasText(read.path("sent").asString());
        assertThat(rows.nth(2)).containsText("status: 404");
        page.navigate(here.address() + "/runs/" + run);
        looksRight("run");
        assertThat(here.browser.region("Operations of mixes")).containsText("read");
        assertThat(here.browser.complaints()).isEmpty();
    }

    /** Fits on a wide screen and on a phone; pictures are left. */
    private void looksRight(String name) {
        for (int width : new int[] {1440, 360}) {
            here.browser.page.setViewportSize(width, 900);
            here.browser.picture(name + "-" + width);
            here.browser.page.waitForFunction("document.documentElement.scrollWidth <= window.innerWidth");
        }
    }

    /** What the agent sent of its only step's operations. */
    private JsonNode sent(String trial) {
        List<JsonNode> steps = new ArrayList<>();
        here.wire.contents().forEach((batch, contents) -> {
            if (batch.trial().equals(trial)) {
                contents.forEach(
                        text -> JsonMapper.shared().readTree(text).path("steps").forEach(steps::add));
            }
        });
        assertThat(steps).hasSize(1);
        return steps.getFirst().path("operations");
    }

    private static List<List<String>> counts(JsonNode operations) {
        return operations
                .valueStream()
                .map(o -> Stream.of(
                                "name",
                                "weight",
                                "offered",
                                "sent",
                                "completed",
                                "failed",
                                "unfinished",
                                "completedInStep",
                                "errors")
                        .map(field -> o.path(field).toString())
                        .toList())
                .toList();
    }
}
