package dev.loomboard.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A closed load from the matrix that asks for it to the pages: what it found is there, and no response time anywhere. */
@Measuring
final class ClosedLoadTest {

    private static final String MATRIX = Installation.MATRIX.replace(
            "{profile: constant, rate: 50, seconds: 10}", "{profile: closed, connections: 4, seconds: 3}");

    private static final String NONE = "not measured — closed load has no intended send times";

    private Installation here;

    @BeforeEach
    void install() throws Exception {
        here = new Installation("closed-load");
        here.setUp(MATRIX);
    }

    @AfterEach
    void remove() throws Exception {
        here.close();
    }

    @Test
    void closed_load_shows_its_rate_and_service_time_and_no_response() throws Exception {
        String run = here.person.runsItNow();
        AgentProgram.Running running = here.agent.run();
        JsonNode ended = here.awaitEnd(run, running).path("trials").path(0);
        running.stop();
        assertThat(ended.path("state").asString()).as("%s", ended).isEqualTo("done");
        String trial = ended.path("trialId").asString();

        JsonNode twin = here.json("/trials/" + trial + ".json");
        JsonNode metrics = twin.findValue("metrics");
        assertThat(metrics.propertyNames()).noneMatch(name -> name.startsWith("response_"));
        // Four wait 20 ms at least for each answer.
        assertThat(metrics.path("throughput_per_s").path("value").asDouble()).isBetween(1.0, 200.0);
        assertThat(metrics.path("service_p50_ms").path("value").asDouble()).isGreaterThanOrEqualTo(20);

        here.browser.page.navigate(here.address() + "/trials/" + trial);
        here.browser.picture("trial");
        assertThat(row("Response time median")).containsText(NONE);
        assertThat(row("Service time median at 4 connections")).isVisible();
        assertThat(here.browser.region("Steps")).containsText("Connections");
        assertThat(here.browser.page.getByText("Sent by the agent's lean transport, HTTP/1.1."))
                .isVisible();
        here.browser.page.navigate(here.address() + "/runs/" + run);
        here.browser.picture("run");
        assertThat(here.browser.region("Results of scored trials")).containsText(NONE);
        here.browser.page.navigate(here.address() + "/");
        here.browser.picture("leaderboard");
        assertThat(here.browser.page.locator("th[aria-sort=descending]")).containsText("Throughput");
        assertThat(here.browser.complaints()).isEmpty();
    }

    private Locator row(String metric) {
        return here.browser
                .page
                .getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions().setHasText(metric))
                .first();
    }
}
