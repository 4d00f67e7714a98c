package dev.loomboard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.expansion.ExpansionTest;
import dev.loomboard.scenario.Load;
import dev.loomboard.web.Problem.FieldError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class MatrixReaderTest {

    private static final String GOOD = """
            schema: loomboard.matrix/1
            name: mine
            title: Mine
            protocol: mine/1
            jdks: [25, latest-ea]
            servers:
              - {server: spring-mvc, variants: [virtual]}
            scenarios:
              - {workload: io, params: {delayMs: 100}, load: {profile: constant, rate: 300, seconds: 12}}
            trials: {scored: 1}
            phases:
              warmup: [{seconds: 8}]
            """;

    @Test
    void what_may_be_left_out_has_its_default() {
        MatrixSpec spec = ExpansionTest.read(GOOD);
        assertThat(spec.dimensions().jdks()).containsExactly("25", "latest-ea");
        assertThat(spec.dimensions().jdkLimit()).isNull();
        assertThat(spec.trials()).isEqualTo(new MatrixSpec.Trials(1, 0));
        assertThat(spec.maxWorkers()).isEqualTo(4096);
        assertThat(spec.timeoutSeconds()).isEqualTo(30);
        assertThat(spec.phases().diagnostic()).isNull();
    }

    @Test
    void random_arrivals_have_a_seed() {
        String random = GOOD.replace(
                "{profile: constant, rate: 300, seconds: 12}", "{profile: poisson, rate: 300, seconds: 12}");
        assertThat(ExpansionTest.read(random)
                        .dimensions()
                        .scenarios()
                        .getFirst()
                        .load())
                .isEqualTo(new Load.Poisson(300, 12, 1));
        String seeded = random.replace("seconds: 12}", "seconds: 12, seed: 7}");
        assertThat(ExpansionTest.read(seeded)
                        .dimensions()
                        .scenarios()
                        .getFirst()
                        .load()
                        .canonical())
                .isEqualTo("poisson:rate=300,seconds=12,seed=7");
        assertThat(refused(random.replace("seconds: 12}", "seconds: 12, seed: 0}")))
                .extracting(FieldError::field)
                .containsExactly("scenarios[0].load.seed");
    }

    @Test
    void character_that_cannot_be_stored_or_deceives_is_refused_by_its_field() {
        for (String escape : List.of("\\0", "\\u202E")) {
            assertThat(refused(GOOD.replace("title: Mine", "title: \"Mi" + escape + "ne\"")))
                    .extracting(FieldError::field)
                    .containsExactly("title");
            assertThat(refused(GOOD.replace("{delayMs: 100}", "{\"a" + escape + "\": 1}")))
                    .extracting(FieldError::field)
                    .containsExactly("scenarios[0].params");
        }
    }

    @Test
    void every_problem_is_named_with_its_path() {
        List<FieldError> problems = refused("""
                schema: loomboard.matrix/2
                name: Not A Slug
                title: Mine
                protocol: quick
                jdks: []
                servers:
                  - {server: spring-mvc, variants: [virtual, virtual]}
                  - {server: UPPER}
                scenarios:
                  - {workload: io, params: {delayMs: [1]}, load: {profile: constant, rate: 0, seconds: 12, extra: 1}}
                  - {workload: io, load: {profile: sideways}}
                  - {workload: io, load: {profile: steps, rates: [1, -1], seconds: 1}}
                collectors: [Epsilon]
                limits: [{cpu: 0.01}, {memoryMiB: 1}, {cpu: 1, disk: 5}]
                jvmOptions: [Xmx1g]
                trials: {scored: 0}
                phases: {warmup: [{seconds: x}]}
                maxWorkers: 1.5
                speed: fast
                """);
        assertThat(problems)
                .extracting(FieldError::field)
                .contains(
                        "schema",
                        "name",
                        "protocol",
                        "jdks",
                        "servers[0].variants",
                        "servers[1].server",
                        "servers[1].variants",
                        "scenarios[0].params.delayMs",
                        "scenarios[0].load.rate",
                        "scenarios[0].load.extra",
                        "scenarios[1].load.profile",
                        "scenarios[2].load.rates[1]",
                        "collectors[0]",
                        "limits[0].cpu",
                        "limits[1].memoryMiB",
                        "limits[2].disk",
                        "jvmOptions[0]",
                        "trials.scored",
                        "phases.warmup[0].seconds",
                        "maxWorkers",
                        "speed");
    }

    /** The agent says the same of the same matrix (TestParse_saysWhatAFieldMustBe). */
    @Test
    void problem_says_what_the_field_must_be() throws IOException {
        Refusal refusal = JsonMapper.shared()
                .readValue(Files.readString(Path.of("api/examples/matrix-refusal.json")), Refusal.class);
        List<String> said = refused(refusal.matrix()).stream()
                .map(problem -> problem.field() + " " + problem.message())
                .sorted()
                .toList();
        assertThat(said)
                .zipSatisfy(
                        refusal.problems(),
                        (problem, beginning) -> assertThat(problem).startsWith(beginning));
    }

    private record Refusal(String schema, String note, String matrix, List<String> problems) {}

    @Test
    void anchors_can_neither_grow_nor_turn_in_circles() {
        String bomb = IntStream.rangeClosed(1, 10)
                .mapToObj(i -> "a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n")
                .collect(Collectors.joining("", "a0: &a0 [" + "x,".repeat(100) + "]\n", ""));
        for (String yaml : List.of(bomb, "a: &a [*a]\n")) {
            assertThat(refused(yaml))
                    .containsExactly(new FieldError("(document)", "is not YAML: its anchors make it too large"));
        }
    }

    @Test
    void limits_are_a_dimension_and_each_pair_stands_once() {
        assertThat(refused(GOOD + "\nlimits: [{cpu: 0.5}, {}, {cpu: 0.5}]\n"))
                .extracting(FieldError::field)
                .containsExactly("limits");
    }

    @Test
    void a_diagnostic_trial_needs_its_phase() {
        assertThat(refused(GOOD.replace("{scored: 1}", "{scored: 1, diagnostic: 1}")))
                .extracting(FieldError::field)
                .containsExactly("phases.diagnostic");
    }

    @Test
    void text_that_is_not_yaml_is_named_by_its_line() {
        assertThat(refused("schema: x\nname: [unclosed\n").getFirst().field()).startsWith("line ");
        assertThat(refused("").getFirst().field()).isEqualTo("(document)");
        assertThat(refused("just words").getFirst().field()).isEqualTo("(document)");
        assertThat(refused("a: 1\na: 2\n").getFirst().message()).contains("duplicate");
        assertThat(refused("a: ._\n").getFirst().message()).contains("is not YAML");
        assertThat(refused("!%0\n").getFirst().message()).contains("is not YAML");
    }

    @Test
    void a_document_can_make_nothing_but_plain_values() {
        assertThat(refused(GOOD + "evil: !!javax.script.ScriptEngineManager []\n")
                        .getFirst()
                        .message())
                .contains("is not YAML");
    }

    @Test
    void too_many_trials_are_refused() {
        String variants = IntStream.range(0, 51).mapToObj(i -> "v" + i).collect(Collectors.joining(", "));
        String many = GOOD.replace("{scored: 1}", "{scored: 100}")
                .replace("variants: [virtual]", "variants: [" + variants + "]");
        assertThat(refused(many).getFirst().message()).isEqualTo("asks for 5100 trials per JDK, 5000 are the most");
    }

    private static List<FieldError> refused(String yaml) {
        return switch (MatrixReader.read(yaml)) {
            case MatrixReader.Refused refused -> refused.problems();
            case MatrixReader.Read read -> throw new AssertionError("was read: " + read.spec());
        };
    }
}
