package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.loomboard.kit.Cast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Durations that were injected at the agent's recorder (runner-agent/internal/load/excess_test.go), over the wire to the
 * page: the response excess is known to a hundredth of itself, however long the declared delay is.
 */
final class ExcessUploadTest extends UploadWebTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void excess_keeps_the_digits_it_was_recorded_with(int number) throws IOException {
        JsonNode injected = Examples.PLAIN
                .readTree(Files.readString(Path.of("api/examples/excess.json")))
                .get(number);
        execute("update cell set declared_delay_ms = "
                + injected.path("delayNs").asLong() / 1_000_000
                + " where cell_id = (select cell_id from trial where external_id = '" + plan.trial() + "')");
        assertThat(put("first", b -> {})).isEqualTo(204);
        assertThat(put("middle", b -> recorded(object(b, "/windows/0"), injected, "intended")))
                .isEqualTo(204);
        assertThat(put("last", b -> {
                    recorded(object(b, "/steps/0"), injected, "offered");
                    object(b, "/steps/0/outcomes").put("completedInStep", successes(injected));
                }))
                .isEqualTo(204);
        JsonNode trial = Examples.PLAIN.readTree(as(Cast.Role.OWNER)
                .get()
                .uri("/trials/" + plan.trial() + ".json")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBodyContent());
        for (String percentile : new String[] {"p50", "p99"}) {
            double expected = expected(injected, percentile.equals("p50") ? 0.5 : 0.99);
            assertThat(trial.at("/metrics/response_excess_" + percentile + "_ms/value")
                            .asDouble())
                    .as(percentile)
                    .isCloseTo(expected, withinPercentage(1));
            assertThat(trial.at("/steps/0/percentiles/excess/" + percentile + "/nanos")
                                    .asDouble()
                            / 1e6)
                    .as(percentile + " of the step")
                    .isCloseTo(expected, withinPercentage(1));
        }
        assertThat(text("select below_delay::text from step", "trial_id"))
                .isEqualTo(injected.path("belowDelay").asString());
        assertThat(page(as(Cast.Role.OWNER), "/trials/" + plan.trial()).text())
                .containsPattern("0\\.6[67]\\d"); // the median, to three digits
    }

    private static int successes(JsonNode injected) {
        return injected.path("early").asInt() + injected.path("successes").asInt();
    }

    /** Of all hits in ascending order: the early ones, the successes, the failures. */
    private static double expected(JsonNode injected, double quantile) {
        int hits = successes(injected) + injected.path("failed").asInt();
        long rank = (long) Math.ceil(quantile * hits) - injected.path("early").asInt();
        return (injected.path("leastNs").asLong()
                        + (rank - 1) * injected.path("stepNs").asLong())
                / 1e6;
    }

    private static void recorded(ObjectNode where, JsonNode injected, String intended) {
        int failed = injected.path("failed").asInt();
        where.put(intended, successes(injected) + failed)
                .put("sent", successes(injected) + failed)
                .put("completed", successes(injected))
                .put("failed", failed)
                .put("belowDelay", injected.path("belowDelay").asInt());
        where.remove("serviceFailed");
        where.remove("responseFailed");
        for (String name : new String[] {"response", "service", "lag", "excess"}) {
            where.set(name, injected.get(name));
        }
        if (failed > 0) {
            where.set("responseFailed", injected.get("responseFailed"));
            where.set("serviceFailed", injected.get("responseFailed"));
        }
    }
}
