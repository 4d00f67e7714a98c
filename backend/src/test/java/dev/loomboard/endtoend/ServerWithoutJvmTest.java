package dev.loomboard.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A program without a JVM, from its {@code server.yaml} to the board: measured once, and what only a JVM has is missing. */
@Measuring
final class ServerWithoutJvmTest {

    private static final String SERVER = """
            schema: loomboard.server/1
            kind: process
            name: plain
            title: Python lists its folder
            command: [python3, -m, http.server, '{port}', --bind, '{address}']
            readiness: {path: /}
            workloads: [list]
            """;

    private static final String WORKLOADS = """
            schema: loomboard.workloads/1
            workloads:
              list: {version: 1, title: Lists its folder, method: GET, path: /, success: {status: 200}}
            """;

    private static final String MATRIX = Installation.MATRIX
            .replace("server: spring-mvc, variants: [virtual]", "server: plain, variants: [default]")
            .replace("workload: io, params: {delayMs: 20}", "workload: list")
            .replace("seconds: 10}", "seconds: 3}");

    private static final String NO_JVM = "not measured: the server has no JVM";

    private static final List<String> OF_A_JVM = List.of(
            "Lock contention",
            "Safepoints while measured",
            "GC while measured",
            "JVM",
            "Forced GCs, verified by counters");

    private Installation here;

    @BeforeEach
    void install() throws Exception {
        here = new Installation("server-without-jvm");
        Path server = here.write("servers/plain/server.yaml", SERVER);
        here.write("servers/plain/workloads.yaml", WORKLOADS);
        here.setUp(MATRIX, " --servers " + server.resolve("../..").normalize());
    }

    @AfterEach
    void remove() throws Exception {
        here.close();
    }

    @Test
    void server_without_a_jvm_is_measured_once_and_stands_on_the_board() throws Exception {
        String run = here.person.runsItNow();
        AgentProgram.Running running = here.agent.run();
        JsonNode trials = here.awaitEnd(run, running).path("trials");
        running.stop();
        assertThat(trials)
                .as("%s", trials)
                .isNotEmpty()
                .allSatisfy(
                        each -> { // a busy host has it made again
                            assertThat(each.path("state").asString()).isEqualTo("done");
                            assertThat(each.path("jdk").asString()).isEqualTo("no-jdk");
                        });
        String trial = trials.path(0).path("trialId").asString();
        JsonNode metrics = here.json("/trials/" + trial + ".json").findValue("metrics");
        assertThat(metrics.path("response_p50_ms").path("value").asDouble()).isPositive();
        assertThat(metrics.path("cpu_us_per_request").path("value").asDouble()).isPositive();
        assertThat(metrics.propertyNames())
                .noneMatch(name -> name.startsWith("gc_") || name.startsWith("safepoint") || name.startsWith("heap_"));

        Page page = here.browser.page;
        page.navigate(here.address() + "/trials/" + trial);
        here.browser.picture("trial");
        assertThat(page.locator("h1")).containsText("plain default, No JDK");
        assertThat(page.getByText("Heap, threads, safepoints and GC: " + NO_JVM))
                .isVisible();
        for (String heading : OF_A_JVM) {
            assertThat(section(heading)).containsText(NO_JVM);
        }
        page.navigate(here.address() + "/runs/" + run);
        here.browser.picture("run");
        assertThat(here.browser.region("Cells and trials")).containsText("No JDK");
        page.navigate(here.address() + "/");
        here.browser.picture("leaderboard");
        assertThat(page.getByRole(AriaRole.MAIN)).containsText("No JDK");
        String series = here.rows("select external_id from series where metric = 'cpu_us_per_request'")
                .getFirst()
                .getFirst();
        page.navigate(here.address() + "/series/" + series);
        here.browser.picture("history");
        assertThat(page.getByRole(AriaRole.MAIN)).containsText("No JDK");
        assertThat(here.rows("select collector, jdk_build_id from cell")).containsExactly(List.of("none", "0"));
        assertThat(here.json("/jdks.json").toString()).doesNotContain("no-jdk");
        assertThat(here.browser.complaints()).isEmpty();
    }

    private Locator section(String heading) {
        Page page = here.browser.page;
        Locator named = page.getByRole(
                AriaRole.HEADING, new Page.GetByRoleOptions().setName(heading).setExact(true));
        return page.locator("section").filter(new Locator.FilterOptions().setHas(named));
    }
}
