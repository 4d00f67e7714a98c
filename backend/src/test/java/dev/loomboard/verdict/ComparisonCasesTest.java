package dev.loomboard.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.expansion.Cell;
import dev.loomboard.expansion.Expansion;
import dev.loomboard.expansion.ExpansionTest;
import dev.loomboard.expansion.TrialPlan;
import dev.loomboard.expansion.TrialSlot;
import dev.loomboard.matrix.MatrixSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent's bench is held to the same cases (internal/plan): which cells are compared, and in which order further trials come. */
final class ComparisonCasesTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Path EXAMPLES = Path.of("api/examples");

    @TestFactory
    Stream<DynamicTest> cells_are_compared_and_take_turns_as_the_agent_has_it() throws IOException {
        JsonNode file = JSON.readTree(Files.readString(EXAMPLES.resolve("comparison-cases.json")));
        assertThat(file.path("cases")).isNotEmpty();
        return file.path("cases")
                .valueStream()
                .map(c -> DynamicTest.dynamicTest(c.path("note").asString(), () -> check(c)));
    }

    private static void check(JsonNode c) throws IOException {
        JsonNode golden = JSON.readTree(
                Files.readString(EXAMPLES.resolve(c.path("example").asString())));
        MatrixSpec.Trials trials =
                ExpansionTest.read(golden.get("matrix").toString()).trials();
        Expansion expansion = ExpansionTest.expanded(golden);
        assertThat(trials.scored()).isEqualTo(c.path("first").asInt());
        assertThat(comparisons(expansion.cells())).isEqualTo(texts(c.path("comparisons")));
        assertThat(further(expansion, trials, c.path("blocks"))).isEqualTo(texts(c.path("further")));
    }

    private static List<String> comparisons(List<Cell> cells) {
        return Stream.of(TestDimension.values())
                .flatMap(axis -> axis.pairsOf(cells).stream()
                        .map(two -> axis.wire() + " " + two.baseline().ordinal() + " "
                                + two.candidate().ordinal()))
                .toList();
    }

    private static List<String> further(Expansion expansion, MatrixSpec.Trials trials, JsonNode blocks) {
        List<TrialPlan.Place> places = expansion.cells().stream()
                .map(cell ->
                        TrialPlan.Place.of(trials, group(cell), cell.scenario().key()))
                .toList();
        return TrialPlan.of(
                        places,
                        cell -> blocks.path(String.valueOf(cell)).asInt(trials.scored()),
                        cell -> 0,
                        expansion.seed())
                .stream()
                .filter(slot -> slot.ordinal() > trials.scored())
                .map(ComparisonCasesTest::text)
                .toList();
    }

    private static String group(Cell cell) {
        return TrialPlan.group(
                cell.server().name(),
                cell.server().variant(),
                cell.scenario().key(),
                cell.settings().collector(),
                cell.settings().limits());
    }

    private static String text(TrialSlot slot) {
        return slot.cell() + " " + slot.ordinal();
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }
}
