package dev.loomboard.verdict;

import static dev.loomboard.verdict.JudgedTrials.SCENARIO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import dev.loomboard.scenario.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent's own comparisons are held to the same cases (internal/verdict): it judges without a service. */
final class VerdictCasesTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** What the service judges; the agent's test holds its own list to the outcomes of the file. */
    private static final List<String> AT_A_CONSTANT_RATE = Stream.concat(
                    DeclaredTest.metrics(new Load.Constant(300, 12)).stream(), Stream.of(DeclaredTest.FAILED))
            .toList();

    @TestFactory
    Stream<DynamicTest> trials_are_judged_as_the_agent_does() throws IOException {
        JsonNode file = JSON.readTree(Files.readString(Path.of("api/examples/verdict-cases.json")));
        assertThat(file.path("cases")).isNotEmpty();
        return file.path("cases")
                .valueStream()
                .map(c -> DynamicTest.dynamicTest(c.path("note").asString(), () -> check(c)));
    }

    private static void check(JsonNode c) {
        List<Judge.Test> tests = new ArrayList<>();
        for (JsonNode expected : c.path("outcomes")) {
            tests.add(new Judge.Test(
                    tests.size(),
                    TestDimension.JDK,
                    1,
                    2,
                    expected.path("metric").asString(),
                    SCENARIO));
        }
        assertThat(tests.stream().map(Judge.Test::metric)).containsExactlyElementsOf(AT_A_CONSTANT_RATE);
        List<RunTrial> trials = new ArrayList<>();
        c.path("baseline").forEach(t -> trials.add(trial(1, t)));
        c.path("candidate").forEach(t -> trials.add(trial(2, t)));
        List<Outcome> outcomes = Judge.of(tests, trials);
        for (int i = 0; i < outcomes.size(); i++) {
            equal(JSON.valueToTree(outcomes.get(i)), c.path("outcomes").path(i));
        }
    }

    /** In all that the agent tells. */
    private static void equal(JsonNode is, JsonNode must) {
        must.properties().stream()
                .filter(field -> !field.getKey().equals("metric"))
                .forEach(field -> {
                    String what = must.path("metric").asString() + ", " + field.getKey();
                    JsonNode value = is.path(field.getKey());
                    assertThat(value.isMissingNode()).as(what).isFalse();
                    if (field.getValue().isNumber()) {
                        double figure = field.getValue().asDouble();
                        assertThat(value.isNumber()).as(what).isTrue();
                        assertThat(value.asDouble())
                                .as(what)
                                .isCloseTo(figure, within(1e-9 * Math.max(1, Math.abs(figure))));
                    } else {
                        assertThat(value).as(what).isEqualTo(field.getValue());
                    }
                });
    }

    static RunTrial trial(long cell, JsonNode t) {
        Map<String, RunTrial.Value> values = new HashMap<>();
        t.path("values")
                .properties()
                .forEach(v -> values.put(
                        v.getKey(),
                        new RunTrial.Value(
                                v.getValue().path("value").asDouble(),
                                text(v.getValue(), "reason") == null,
                                text(v.getValue(), "reason"))));
        return new RunTrial(
                cell,
                t.path("ordinal").asInt(),
                t.path("lease").asLong(),
                WireName.of(TrialState.class, t.path("outcome").asString()),
                WireName.orNull(Validity.class, text(t, "validity")),
                WireName.orNull(Steadiness.class, text(t, "steady")),
                text(t, "serverDigest"),
                text(t, "fingerprint"),
                values);
    }

    private static @Nullable String text(JsonNode of, String field) {
        return of.path(field).asStringOpt().orElse(null);
    }
}
