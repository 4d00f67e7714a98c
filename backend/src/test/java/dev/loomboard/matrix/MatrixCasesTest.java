package dev.loomboard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.TrialKind;
import dev.loomboard.expansion.ExpansionTest;
import dev.loomboard.scenario.Load;
import dev.loomboard.web.Problem.FieldError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent reads the same cases: what one side takes and the other refuses would be stored and never run. */
final class MatrixCasesTest {

    /** The agent leaves out what is zero. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    @TestFactory
    Stream<DynamicTest> matrix_is_taken_or_refused_as_the_agent_does() throws IOException {
        JsonNode file = JSON.readTree(Files.readString(Path.of("api/examples/matrix-cases.json")));
        assertThat(file.path("cases")).isNotEmpty();
        return file.path("cases")
                .valueStream()
                .map(c -> DynamicTest.dynamicTest(c.path("note").asString(), () -> check(c)));
    }

    private static void check(JsonNode c) {
        List<String> problems =
                c.path("problems").valueStream().map(JsonNode::asString).toList();
        switch (MatrixReader.read(c.path("matrix").toString())) { // JSON is YAML too
            case MatrixReader.Refused refused ->
                assertThat(refused.problems())
                        .extracting(FieldError::field)
                        .containsExactlyInAnyOrderElementsOf(problems);
            case MatrixReader.Read read -> {
                assertThat(problems).isEmpty();
                Load load = read.spec().dimensions().scenarios().getFirst().load();
                assertThat(ExpansionTest.normal(JSON.valueToTree(load)))
                        .isEqualTo(ExpansionTest.normal(c.path("load")));
                assertThat(JSON.treeToValue(c.path("phases"), Phases.class))
                        .isEqualTo(read.spec().phases());
            }
        }
    }

    @Test
    void search_closed_and_batch_have_their_canonical_text() {
        var objective = new Load.Search.Objective(0.99, 250, 1, 0.99);
        assertThat(new Load.Search(100, 10_000, 15, 5, 0.03, 3, 60, 40, 10, objective).canonical())
                .isEqualTo(
                        "search:start=100,maxRate=10000,seconds=15,discardSeconds=5,precision=0.03,confirmations=3,"
                                + "confirmSeconds=60,maxSteps=40,curveSteps=10,quantile=0.99,responseMs=250,success=1,achieved=0.99");
        assertThat(new Load.Search(100, 10_000, 15, 5, 0.03, 3, 60, 40, 10, List.of(0.7, 1.0), objective).canonical())
                .contains("curveSteps=10,curveShares=0.7+1,quantile=0.99");
        assertThat(new Load.Closed(1000, 10).canonical()).isEqualTo("closed:connections=1000,seconds=10");
        assertThat(new Load.Batch(2, 10).canonical()).isEqualTo("batch:preRuns=2,runs=10");
    }

    @Test
    void adaptive_phases_are_planned_at_their_caps() {
        MatrixSpec spec = ExpansionTest.read("""
                {schema: loomboard.matrix/1, name: a, title: a, protocol: a/1, jdks: [25], trials: {scored: 1},
                 servers: [{server: a, variants: [v]}], phases: {adaptive: {}},
                 scenarios: [{workload: io, load: {profile: constant, rate: 1, seconds: 30}}]}
                """);
        assertThat(spec.longestSeconds(spec.dimensions().scenarios().getFirst().load(), TrialKind.SCORED))
                .isEqualTo(120 + 60 + 30 + 30 + 5.0);
    }
}
