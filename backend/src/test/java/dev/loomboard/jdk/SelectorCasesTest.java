package dev.loomboard.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Availability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent is held to the same cases. */
final class SelectorCasesTest {

    private final JsonNode file;

    SelectorCasesTest() throws IOException {
        file = JsonMapper.shared().readTree(Files.readString(Path.of("api/examples/selector-cases.json")));
    }

    @TestFactory
    Stream<DynamicTest> selectors_are_resolved_as_by_the_agent() {
        List<JdkBuild> builds =
                file.path("builds").valueStream().map(SelectorCasesTest::build).toList();
        assertThat(file.path("cases")).isNotEmpty();
        return file.path("cases")
                .valueStream()
                .map(c -> DynamicTest.dynamicTest(c.path("note").asString(), () -> {
                    JdkSelectors.Resolved resolved = JdkSelectors.resolve(
                            builds, texts(c.path("selectors")), c.path("limit").asInt());
                    assertThat(resolved.builds())
                            .extracting(JdkBuild::agentSlug)
                            .isEqualTo(texts(c.path("builds")));
                    assertThat(resolved.notices()).isEqualTo(texts(c.path("notices")));
                }));
    }

    @TestFactory
    Stream<DynamicTest> words_that_are_no_selectors_are_mended_as_by_the_agent() {
        String allowed = file.path("allowed").asString();
        return file.path("malformed").valueStream().map(m -> {
            String word = m.path("word").asString();
            String near = m.path("near").isNull()
                    ? ""
                    : "; did you mean " + m.path("near").asString() + "?";
            return DynamicTest.dynamicTest(
                    word,
                    () -> assertThat(JdkSelectors.problem(word))
                            .contains("must be a JDK selector (" + allowed + "), is: " + word + near));
        });
    }

    @Test
    void words_of_the_grammar_have_no_problem() {
        assertThat(texts(file.path("words")))
                .isNotEmpty()
                .allSatisfy(word -> assertThat(JdkSelectors.problem(word)).isEmpty());
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    private static JdkBuild build(JsonNode b) {
        JdkVersion version = JdkVersion.parse(b.path("runtimeVersion").asString());
        String slug = b.path("slug").asString();
        return new JdkBuild(
                new JdkBuild.Internals(slug.hashCode(), version.order()),
                slug,
                slug,
                b.path("vendor").asString(),
                b.path("runtimeVersion").asString(),
                Math.toIntExact(version.numbers().getFirst()),
                version.early() ? Availability.EA : Availability.GA,
                "amd64");
    }
}
