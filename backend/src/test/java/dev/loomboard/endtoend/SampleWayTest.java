package dev.loomboard.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From the histogram that the agent sealed to the number that a person reads: the same, to the last digit shown. */
@Measuring
final class SampleWayTest {

    private static final long HIGHEST_NS = 300_000_000_000L;
    private static final double NS_PER_MS = 1e6;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Installation here;

    @BeforeEach
    void install() throws Exception {
        here = new Installation("sample-way");
        here.setUp();
    }

    @AfterEach
    void remove() throws Exception {
        here.close();
    }

    @Test
    void number_on_the_page_is_the_one_that_the_agent_sealed() throws Exception {
        String run = here.person.runsItNow();
        AgentProgram.Running running = here.agent.run();
        String trial = here.awaitEnd(run, running)
                .path("trials")
                .path(0)
                .path("trialId")
                .asString();
        running.stop();
        JsonNode step = sealedStep(trial);

        here.browser
                .page
                .locator("#live")
                .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("scored"))
                .first()
                .click();
        here.browser.picture("trial");
        assertThat(here.browser.page).hasURL(here.address() + "/trials/" + trial);
        shows("Service time median", median(step, "service"));
        shows("Response time median", median(step, "response"));
        JsonNode twin = here.json("/trials/" + trial + ".json");
        assertThat(value(twin, "service_p50_ms")).isEqualTo(median(step, "service"));
        assertThat(value(twin, "response_p50_ms")).isEqualTo(median(step, "response"));
        Locator steps = here.browser.region("Steps");
        assertThat(steps).containsText(step.path("offered").asString());
        assertThat(here.browser.complaints()).isEmpty();
    }

    private void shows(String metric, double millis) {
        Locator row = here.browser
                .page
                .getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions().setHasText(metric))
                .first();
        String shown = row.getByRole(AriaRole.CELL).first().innerText().strip();
        assertThat(shown.replace(",", "")).as(metric + " of " + millis + " ms").isEqualTo(Numbers.as(shown, millis));
    }

    private static double value(JsonNode twin, String metric) {
        return twin.findValue("metrics").path(metric).path("value").asDouble();
    }

    private JsonNode sealedStep(String trial) {
        return here.wire.contents().entrySet().stream()
                .filter(batch -> batch.getKey().trial().equals(trial))
                .map(batch -> JSON.readTree(batch.getValue().iterator().next())
                        .path("steps")
                        .path(0))
                .filter(JsonNode::isObject)
                .findFirst()
                .orElseThrow();
    }

    /** Read by the library that the format belongs to, not by ours; successes and failures together. */
    private static double median(JsonNode step, String time) throws Exception {
        Histogram all = new Histogram(1, HIGHEST_NS, 3);
        for (String name : new String[] {time, time + "Failed"}) {
            if (step.hasNonNull(name)) {
                all.add(Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(
                                Base64.getDecoder().decode(step.path(name).asString())),
                        HIGHEST_NS));
            }
        }
        assertThat(all.getTotalCount()).isEqualTo(step.path("offered").asLong());
        return all.getValueAtPercentile(50) / NS_PER_MS;
    }
}
