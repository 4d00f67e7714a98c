package dev.loomboard.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.stats.paired.AaTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
        List<QualificationCell.Noise> noise = result.measured().stream()
                .flatMap(cell -> cell.noise().stream())
                .toList();
        assertThat(c.path("noise").size()).isEqualTo(noise.size());
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

    /** What was stored before there were classes of resources: it stays what it was, and says that it is of one cell. */
    @Test
    void qualification_of_one_cell_still_passes_and_is_known_as_such() {
        Qualification one = result("a quiet machine passes");
        assertThat(one.problems()).isEmpty();
        assertThat(one.byResource()).isFalse();
        assertThat(one.measured()).extracting(QualificationCell::resource).containsOnlyNulls();
        assertThat(JSON.convertValue(one, JsonNode.class).propertyNames()).doesNotContain("cells");
    }

    @Test
    void qualification_by_resource_needs_each_resource_once_and_nothing_beside_them() {
        Qualification all = result("a quiet machine passes in each class of resources");
        assertThat(all.problems()).isEmpty();
        List<QualificationCell> cells = all.measured();
        assertThat(by(cells.subList(0, 2)).problems()).containsExactly("network: it was not measured");
        assertThat(by(List.of()).problems()).hasSize(ResourceClass.values().length);
        assertThatThrownBy(() -> by(List.of(cells.get(0), cells.get(0)))).hasMessageContaining("each resource once");
        assertThatThrownBy(() -> by(result("a quiet machine passes").measured()))
                .hasMessageContaining("cells[0].resource");
        assertThatThrownBy(() -> qualification("loomboard.qualification/2", "cell", cells))
                .isInstanceOf(FieldChecks.Refused.class);
        assertThatThrownBy(() -> qualification("loomboard.qualification/1", null, cells))
                .isInstanceOf(FieldChecks.Refused.class);
    }

    private static Qualification by(List<QualificationCell> cells) {
        return qualification("loomboard.qualification/2", null, cells);
    }

    private static Qualification qualification(String schema, @Nullable String cell, List<QualificationCell> cells) {
        return new Qualification(schema, "2026-11-21T09:00:00Z", "0.1.0", HOST, HOST, cell, null, null, null, cells);
    }

    private static Qualification result(String note) {
        try (Stream<JsonNode> cases = cases()) {
            return JSON.convertValue(
                    cases.filter(c -> c.path("note").asString().equals(note))
                            .findFirst()
                            .orElseThrow()
                            .path("result"),
                    Qualification.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Qualification with(String at, Map<String, List<Double>> values) {
        return new Qualification(
                "loomboard.qualification/1", at, "0.1.0", HOST, HOST, "cell", 10, new ArrayList<>(), values, null);
    }

    private static Stream<JsonNode> cases() throws IOException {
        return JSON.readTree(Files.readString(Path.of("api/examples/qualification-cases.json")))
                .path("cases")
                .valueStream();
    }
}
