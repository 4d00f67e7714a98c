package dev.loomboard.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.stats.paired.AaTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class QualificationTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String HOST = "a".repeat(64);

    /** The agent judges the same cases; the figures are of a third implementation. */
    @TestFactory
    Stream<DynamicTest> qualification_is_judged_as_the_agent_does() throws IOException {
        return cases().map(c -> DynamicTest.dynamicTest(c.path("note").asString(), () -> check(c)));
    }

    private static void check(JsonNode c) {
        Qualification result = JSON.convertValue(c.path("result"), Qualification.class);
        List<Qualification.Noise> noise = result.noise();
        for (int i = 0; i < noise.size(); i++) {
            JsonNode want = c.path("noise").path(i);
            AaTest same = noise.get(i).same();
            if (same == null) {
                assertThat(want.isNull()).isTrue();
                continue;
            }
            assertThat(noise.get(i).metric()).isEqualTo(want.path("metric").asString());
            near(same.mean(), want.path("mean"));
            near(same.spread(), want.path("spread"));
            near(same.effect(), want.path("effect"));
            near(same.p(), want.path("p"));
            near(same.decidable(), want.path("decidable"));
        }
        assertThat(result.problems())
                .containsExactlyElementsOf(
                        c.path("problems").valueStream().map(JsonNode::asString).toList());
    }

    private static void near(double is, JsonNode must) {
        assertThat(is).isCloseTo(must.asDouble(), within(1e-9 * Math.max(1, Math.abs(must.asDouble()))));
    }

    @Test
    void qualification_holds_for_the_host_it_was_made_on() throws IOException {
        Qualification passed =
                JSON.convertValue(cases().findFirst().orElseThrow().path("result"), Qualification.class);
        assertThat(passed.holdsFor(HOST)).isTrue();
        assertThat(passed.whyNot(HOST)).isNull();
        assertThat(passed.holdsFor("c".repeat(64))).isFalse();
        assertThat(passed.whyNot("c".repeat(64))).contains("the host has changed", "loomboard-agent qualify");
    }

    @Test
    void qualification_of_nonsense_is_refused_where_it_is_read() {
        assertThatThrownBy(() -> with("yesterday", Map.of())).isInstanceOf(FieldChecks.Refused.class);
        assertThatThrownBy(() -> with("2026-11-21T09:00:00Z", Map.of("x", new ArrayList<>(List.of(Double.NaN)))))
                .isInstanceOf(FieldChecks.Refused.class);
    }

    private static Qualification with(String at, Map<String, List<Double>> values) {
        return new Qualification(
                "loomboard.qualification/1", at, "0.1.0", HOST, HOST, "cell", 10, new ArrayList<>(), values);
    }

    private static Stream<JsonNode> cases() throws IOException {
        return JSON.readTree(Files.readString(Path.of("api/examples/qualification-cases.json")))
                .path("cases")
                .valueStream();
    }
}
