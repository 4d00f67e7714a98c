package dev.loomboard.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.Validity;
import dev.loomboard.plan.SpoiltBlocks.Attempt;
import dev.loomboard.plan.SpoiltBlocks.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent is held to the same cases. */
final class SpoiltBlocksTest {

    @TestFactory
    Stream<DynamicTest> blocks_are_repeated_as_the_agent_does() throws IOException {
        JsonNode file =
                JsonMapper.builder().build().readTree(Files.readString(Path.of("api/examples/spoilt-blocks.json")));
        assertThat(file.path("cases")).isNotEmpty();
        return file.path("cases")
                .valueStream()
                .map(c -> DynamicTest.dynamicTest(c.path("note").asString(), () -> check(c)));
    }

    private static void check(JsonNode c) {
        Set<Integer> repeated =
                c.path("repeated").valueStream().map(JsonNode::asInt).collect(Collectors.toSet());
        List<Block> blocks = new ArrayList<>();
        for (JsonNode block : c.path("blocks")) {
            int place = blocks.size();
            List<Attempt> attempts =
                    block.valueStream().map(SpoiltBlocksTest::attempt).toList();
            blocks.add(new Block(place, List.of(), attempts, repeated.contains(place)));
        }
        List<SpoiltBlocks.Repeat> expected = c.path("repeats")
                .valueStream()
                .map(r -> new SpoiltBlocks.Repeat(
                        blocks.get(r.path("block").asInt()), r.path("why").asString()))
                .toList();
        assertThat(SpoiltBlocks.of(blocks))
                .isEqualTo(new SpoiltBlocks(expected, c.path("left").asInt()));
    }

    private static Attempt attempt(JsonNode a) {
        return new Attempt(
                WireName.of(TrialState.class, a.path("outcome").asString()),
                WireName.orNull(Validity.class, a.path("validity").asStringOpt().orElse(null)),
                a.path("reason").asStringOpt().orElse(null),
                a.path("lease").asLong());
    }
}
