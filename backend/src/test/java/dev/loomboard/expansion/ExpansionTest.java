package dev.loomboard.expansion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Limits;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.inventory.ServerOffer;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkReport;
import dev.loomboard.jdk.JdkVersion;
import dev.loomboard.matrix.MatrixReader;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.scenario.CanonicalText;
import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

public final class ExpansionTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The same files are read by the agent's tests: Go and Java lay a matrix out alike. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "expand-quick.json",
                "expand-wide.json",
                "expand-limits.json",
                "expand-delays.json",
                "expand-rounds.json",
                "expand-process.json",
                "expand-mix.json"
            })
    void expansion_is_as_the_golden_file_says(String file) throws IOException {
        JsonNode golden = JSON.readTree(Files.readString(Path.of("api/examples", file)));
        assertThat(asJson(expanded(golden))).isEqualTo(normal(golden.get("expected")));
    }

    @Test
    void selectors_in_place_of_the_matrix_s_are_not_limited_by_it() throws IOException {
        JsonNode golden = JSON.readTree(Files.readString(Path.of("api/examples/expand-quick.json")));
        MatrixSpec spec = read(golden.get("matrix").toString());
        Expansion all = expanded(Expansion.of(spec, List.of("all"), builds(golden), servers(golden), 1));
        assertThat(all.cells().stream().map(c -> c.jdk().slug()).distinct().count())
                .isEqualTo(golden.get("jdks").size());
    }

    @Test
    void servers_without_a_jvm_need_no_jdk_and_are_left_out_where_jdks_are_chosen() throws IOException {
        JsonNode golden = JSON.readTree(Files.readString(Path.of("api/examples/expand-process.json")));
        ObjectNode alone = (ObjectNode) golden.get("matrix").deepCopy();
        alone.putArray("servers").add(golden.get("matrix").get("servers").get(0));
        MatrixSpec spec = read(alone.toString());
        Expansion none = expanded(Expansion.of(spec, List.of(), List.of(), servers(golden), 1));
        assertThat(none.cells()).hasSize(2 * 2).allSatisfy(cell -> {
            assertThat(cell.jdk()).isEqualTo(JdkBuild.NONE);
            assertThat(cell.settings().collector()).isEqualTo("none");
            assertThat(cell.settings().jvmOptions()).isEmpty();
        });
        assertThat(none.trials()).hasSize(2 * 2 * 3).allMatch(trial -> trial.kind() == TrialKind.SCORED);
        MatrixSpec both = read(golden.get("matrix").toString());
        Expansion chosen = expanded(Expansion.of(both, List.of("25"), builds(golden), servers(golden), 1));
        assertThat(chosen.cells()).isNotEmpty().noneMatch(cell -> cell.jdk().equals(JdkBuild.NONE));
        assertThat(chosen.notices()).contains("server nginx has no JVM, and the run chooses JDKs");
    }

    @Test
    void no_matching_build_says_what_was_asked_and_what_there_is() throws IOException {
        JsonNode golden = JSON.readTree(Files.readString(Path.of("api/examples/expand-quick.json")));
        MatrixSpec spec = read(golden.get("matrix").toString());
        var result = Expansion.of(spec, List.of("99"), builds(golden), servers(golden), 1);
        assertThat(result)
                .isInstanceOfSatisfying(
                        Expansion.Nothing.class,
                        nothing ->
                                assertThat(nothing.explained()).contains("[99]").contains("temurin-25.0.3_9-amd64"));
    }

    @Test
    void every_preset_can_be_read() throws IOException {
        try (var files = Files.list(Path.of("../sample-servers/matrices"))) {
            List<Path> presets =
                    files.filter(f -> f.toString().endsWith(".yaml")).toList();
            assertThat(presets).isNotEmpty();
            for (Path preset : presets) {
                assertThat(MatrixReader.read(Files.readString(preset)))
                        .as(preset.toString())
                        .isInstanceOfSatisfying(
                                MatrixReader.Read.class,
                                read -> assertThat(read.spec().name() + ".yaml")
                                        .isEqualTo(preset.getFileName().toString()));
            }
        }
    }

    @Property(tries = 200)
    void plan_holds_every_trial_once_and_scored_before_diagnostic_within_a_group(
            @ForAll @IntRange(min = 1, max = 4) int groups,
            @ForAll @IntRange(min = 1, max = 4) int jdks,
            @ForAll @IntRange(min = 1, max = 5) int scored,
            @ForAll @IntRange(min = 0, max = 3) int diagnostic,
            @ForAll long seed) {
        List<TrialPlan.Place> cells = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            for (int j = 0; j < jdks; j++) {
                cells.add(new TrialPlan.Place("group" + g, "group" + g));
            }
        }
        List<TrialSlot> plan = TrialPlan.of(cells, new MatrixSpec.Trials(scored, diagnostic), seed);
        assertThat(plan).hasSize(groups * jdks * (scored + diagnostic));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < plan.size(); i++) {
            TrialSlot slot = plan.get(i);
            assertThat(slot.position()).isEqualTo(i);
            assertThat(seen.add(slot.cell() + "/" + slot.kind() + "/" + slot.ordinal()))
                    .isTrue();
        }
        for (int i = 1; i < plan.size(); i++) {
            TrialSlot before = plan.get(i - 1);
            TrialSlot slot = plan.get(i);
            if (cells.get(before.cell()).equals(cells.get(slot.cell())) && before.kind() == TrialKind.DIAGNOSTIC) {
                assertThat(slot.kind()).isEqualTo(TrialKind.DIAGNOSTIC);
            }
        }
    }

    @Property(tries = 200)
    void builds_of_a_cell_stay_neighbours_in_every_block(
            @ForAll @IntRange(min = 1, max = 4) int groups,
            @ForAll @IntRange(min = 1, max = 4) int jdks,
            @ForAll long seed) {
        List<TrialPlan.Place> cells = new ArrayList<>();
        for (int cell = 0; cell < groups * jdks; cell++) {
            cells.add(new TrialPlan.Place("scenario", "group" + cell / jdks));
        }
        List<TrialSlot> plan = TrialPlan.of(cells, new MatrixSpec.Trials(5, 0), seed);
        for (int from = 0; from < plan.size(); from += jdks) {
            List<TrialSlot> neighbours = plan.subList(from, from + jdks);
            assertThat(neighbours.stream()
                            .map(slot -> cells.get(slot.cell()).group())
                            .distinct())
                    .hasSize(1);
            assertThat(neighbours.stream().map(TrialSlot::cell).distinct()).hasSize(jdks);
        }
    }

    @Test
    void every_order_of_two_builds_is_drawn_equally_often_and_blocks_do_not_depend_on_each_other() {
        List<TrialPlan.Place> cells = Collections.nCopies(2, new TrialPlan.Place("scenario", "group"));
        Map<List<Integer>, Integer> orders = new HashMap<>();
        for (long seed = 0; seed < 4000; seed++) {
            List<Integer> first = TrialPlan.of(cells, new MatrixSpec.Trials(3, 0), seed).stream()
                    .filter(slot -> slot.position() % 2 == 0)
                    .map(TrialSlot::cell)
                    .toList();
            orders.merge(first, 1, Integer::sum);
        }
        // 500 each, with a standard deviation of 21.
        assertThat(orders)
                .hasSize(8)
                .allSatisfy((order, times) -> assertThat(times).isBetween(415, 585));
    }

    @Test
    void scenario_key_is_canonical() {
        Load load = new Load.Constant(300.0, 12);
        assertThat(CanonicalText.scenarioKey("io", 1, Map.of("size", 200, "delayMs", 100.0), null, load))
                .isEqualTo("io@1?delayMs=100&size=200;constant:rate=300,seconds=12")
                .isEqualTo(CanonicalText.scenarioKey("io", 1, Map.of("delayMs", 100, "size", 200), null, load));
        assertThat(CanonicalText.scenarioKey(
                        "x", 2, Map.of("q", "a;b|c=d"), null, new Load.Steps(List.of(50.0, 1300.5), 60)))
                .isEqualTo("x@2?q=a%3Bb%7Cc%3Dd;steps:rates=50+1300.5,seconds=60");
        assertThat(CanonicalText.scenarioKey("fortunes", 1, Map.of(), new DatabaseDelay(0, 200), load))
                .startsWith("fortunes@1?;db=0+200;constant:");
        assertThat(new Load.Ramp(300, 50, 10, 60, 20, 3, 40).canonical())
                .isEqualTo(
                        "ramp:start=300,step=50,seconds=10,quietSeconds=60,settleSeconds=20,stopAfterFailed=3,maxSteps=40");
    }

    @Test
    void spec_survives_its_json() throws IOException {
        String yaml = Files.readString(Path.of("../sample-servers/matrices/e1-ramp.yaml"));
        MatrixSpec spec = read(yaml);
        assertThat(JSON.readValue(JSON.writeValueAsString(spec), MatrixSpec.class))
                .isEqualTo(spec);
        assertThat(read(new Yaml().dump(JSON.readValue(JSON.writeValueAsString(spec), Map.class))))
                .isEqualTo(spec);
    }

    /** The matrix of a golden file on its machine. */
    public static Expansion expanded(JsonNode golden) {
        MatrixSpec spec = read(golden.get("matrix").toString()); // JSON is YAML too
        return expanded(Expansion.of(spec, List.of(), builds(golden), servers(golden), seed(golden)));
    }

    public static MatrixSpec read(String yaml) {
        return switch (MatrixReader.read(yaml)) {
            case MatrixReader.Read read -> read.spec();
            case MatrixReader.Refused refused ->
                throw new AssertionError(refused.problems().toString());
        };
    }

    private static long seed(JsonNode golden) {
        return golden.get("seed").asLong();
    }

    private static Expansion expanded(Expansion.Result result) {
        return switch (result) {
            case Expansion.Expanded expanded -> expanded.expansion();
            case Expansion.Nothing nothing -> throw new AssertionError(nothing.explained());
        };
    }

    private static List<JdkBuild> builds(JsonNode golden) {
        List<JdkBuild> builds = new ArrayList<>();
        for (JsonNode node : golden.get("jdks")) {
            JdkReport r = JSON.treeToValue(node, JdkReport.class);
            builds.add(new JdkBuild(
                    new JdkBuild.Internals(
                            builds.size(), JdkVersion.parse(r.runtimeVersion()).order()),
                    r.slug(),
                    r.slug(),
                    r.vendor(),
                    r.runtimeVersion(),
                    r.feature(),
                    r.availability(),
                    r.architecture()));
        }
        return builds;
    }

    private static List<ServerOffer> servers(JsonNode golden) {
        List<ServerOffer> servers = new ArrayList<>();
        for (JsonNode node : golden.get("servers")) {
            servers.add(JSON.treeToValue(node, ServerOffer.class));
        }
        return servers;
    }

    private static JsonNode asJson(Expansion expansion) {
        ObjectNode out = JSON.createObjectNode();
        out.put("seed", expansion.seed());
        out.set("notices", JSON.valueToTree(expansion.notices()));
        ArrayNode cells = out.putArray("cells");
        for (Cell cell : expansion.cells()) {
            ObjectNode c = cells.addObject();
            c.put("server", cell.server().name());
            c.put("variant", cell.server().variant());
            c.put("concurrencyModel", cell.server().model().wire());
            c.put("workload", cell.scenario().workload());
            c.put("workloadVersion", cell.scenario().version());
            c.set("params", JSON.valueToTree(cell.scenario().params()));
            c.put("declaredDelayMs", cell.declaredDelayMs());
            c.set("load", JSON.readTree(JSON.writeValueAsString(cell.scenario().load())));
            boolean jdk = !cell.jdk().equals(JdkBuild.NONE);
            if (jdk) {
                c.put("collector", cell.settings().collector());
                c.put("jdk", cell.jdk().agentSlug());
            }
            if (!cell.settings().limits().equals(Limits.NONE)) {
                c.set("limits", JSON.valueToTree(cell.settings().limits()));
            }
            if (cell.scenario().delay() != null) {
                c.set("delay", JSON.valueToTree(cell.scenario().delay()));
            }
        }
        ArrayNode trials = out.putArray("trials");
        for (TrialSlot slot : expansion.trials()) {
            ObjectNode t = trials.addObject();
            t.put("cell", slot.cell());
            t.put("kind", slot.kind().wire());
            t.put("ordinal", slot.ordinal());
        }
        return normal(out);
    }

    /** 300 and 300.0 are one number, and the order of a mapping's names is nobody's business. */
    public static JsonNode normal(JsonNode node) {
        if (node.isNumber()) {
            return JSON.getNodeFactory().numberNode(node.doubleValue());
        }
        if (node.isArray()) {
            ArrayNode array = JSON.createArrayNode();
            node.forEach(element -> array.add(normal(element)));
            return array;
        }
        if (node.isObject()) {
            ObjectNode object = JSON.createObjectNode();
            node.properties().forEach(e -> object.set(e.getKey(), normal(e.getValue())));
            return object;
        }
        return node;
    }
}
