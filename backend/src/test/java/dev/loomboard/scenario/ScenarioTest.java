package dev.loomboard.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

final class ScenarioTest {

    static List<Load> loads() {
        return List.of(
                new Load.Constant(300, 12),
                new Load.Poisson(250.5, 10, 42),
                new Load.Steps(List.of(100.0, 200.5, 400.0), 5),
                new Load.Ramp(100, 50, 12, 2, 1, 3, 40),
                new Load.Search(50, 4000, 8, 2, 0.03, 3, 20, 30, 5, new Load.Search.Objective(0.99, 250, 1, 0.99)),
                new Load.Search(
                        50,
                        4000,
                        8,
                        2,
                        0.03,
                        3,
                        20,
                        30,
                        5,
                        List.of(0.7, 0.25),
                        new Load.Search.Objective(0.99, 250, 1, 0.99)),
                new Load.Closed(64, 20),
                new Load.Batch(3, 10));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void key_that_was_written_is_read_back_whole(Load load) {
        DatabaseDelay delay = new DatabaseDelay(0, 200);
        String key = CanonicalText.scenarioKey("fortunes", 2, Map.of("size", 20, "a&b", "x=ü"), delay, load);
        assertThat(Scenario.parse(key))
                .contains(new Scenario(key, "fortunes", 2, Map.of("a&b", "x=ü", "size", "20"), delay, load));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void profile_is_that_of_the_loads_json(Load load) {
        Scenario.Parts parts = Scenario.Parts.of(CanonicalText.scenarioKey("io", 1, Map.of(), null, load))
                .orElseThrow();
        assertThat(JsonMapper.shared().valueToTree(load).get("profile").asString())
                .isEqualTo(Objects.requireNonNull(parts.profile()).wire());
    }

    @Test
    void every_profile_is_one_of_the_loads() {
        assertThat(loads().stream().map(Object::getClass).distinct()).hasSameSizeAs(Load.Profile.values());
        assertThat(Scenario.Parts.of("io@1?;waves:rate=1").orElseThrow().profile())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "io", "io@1", "io@1?", "io@x?;closed:connections=1,seconds=2", "io@1?;constant:rate=1"})
    void text_that_is_no_key_gives_nothing(String text) {
        assertThat(Scenario.parse(text)).isEqualTo(Optional.empty());
    }
}
