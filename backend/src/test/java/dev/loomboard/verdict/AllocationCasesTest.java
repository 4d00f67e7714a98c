package dev.loomboard.verdict;

import static dev.loomboard.verdict.JudgedTrials.SCENARIO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.scenario.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent's bench is held to the same cases (internal/verdict): it gives further trials without a service. */
final class AllocationCasesTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    @TestFactory
    Stream<DynamicTest> further_trials_are_given_as_the_agent_gives_them() throws IOException {
        JsonNode file = JSON.readTree(Files.readString(Path.of("api/examples/allocation-cases.json")));
        assertThat(file.path("cases")).isNotEmpty();
        return file.path("cases")
                .valueStream()
                .map(c -> DynamicTest.dynamicTest(c.path("note").asString(), () -> check(c)));
    }

    private static void check(JsonNode c) {
        List<RunTrial> trials = c.path("trials")
                .valueStream()
                .map(trial -> VerdictCasesTest.trial(trial.path("cell").asLong(), trial))
                .toList();
        Pilot pilot = Pilot.of(
                tests(c), trials, c.path("first").asInt(), c.path("budget").asInt());
        JsonNode is = JSON.valueToTree(pilot);
        JsonNode must = c.path("pilot");
        for (String field : List.of("first", "budget", "cells", "trials")) {
            assertThat(is.path(field)).as(field).isEqualTo(must.path(field));
        }
        assertThat(pilot.spreads()).hasSameSizeAs(must.path("spreads"));
        for (int i = 0; i < pilot.spreads().size(); i++) {
            equal(pilot.spreads().get(i), must.path("spreads").path(i));
        }
        assertThat(pilot.words()).isEqualTo(c.path("words").asString());
    }

    private static void equal(Pilot.Spread is, JsonNode must) {
        assertThat(is.spread()).isCloseTo(must.path("spread").asDouble(), within(1e-12));
        assertThat(is.goal()).isCloseTo(must.path("goal").asDouble(), within(1e-12));
        assertThat(is)
                .isEqualTo(new Pilot.Spread(
                        must.path("baseline").asLong(),
                        must.path("candidate").asLong(),
                        must.path("metric").asString(),
                        must.path("blocks").asInt(),
                        is.spread(),
                        is.goal(),
                        must.path("needed").asInt(),
                        must.path("met").asBoolean()));
    }

    /** As a run declares them. */
    private static List<Judge.Test> tests(JsonNode c) {
        List<String> metrics = DeclaredTest.metrics(JSON.treeToValue(c.path("load"), Load.class));
        assertThat(JSON.valueToTree(metrics).equals(c.path("metrics")))
                .as("of this load are judged " + metrics)
                .isTrue();
        List<Judge.Test> tests = new ArrayList<>();
        for (JsonNode two : c.path("comparisons")) {
            Stream.concat(metrics.stream(), Stream.of(DeclaredTest.FAILED))
                    .map(metric -> new Judge.Test(
                            tests.size(),
                            two.path("servers").asBoolean() ? TestDimension.SERVER : TestDimension.JDK,
                            two.path("baseline").asLong(),
                            two.path("candidate").asLong(),
                            metric,
                            SCENARIO))
                    .forEach(tests::add);
        }
        return tests;
    }
}
