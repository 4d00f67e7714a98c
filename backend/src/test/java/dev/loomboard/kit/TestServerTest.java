package dev.loomboard.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TestServerTest {

    @Test
    void unset_isWhatTheMachineHas() {
        assertThat(TestServer.chosen(Map.of(), () -> true)).isEqualTo(TestServer.CONTAINER);
        assertThat(TestServer.chosen(Map.of(), () -> false)).isEqualTo(TestServer.EMBEDDED);
    }

    @Test
    void inCi_noContainerIsAFailureUnlessItIsSaid() {
        Map<String, String> ci = Map.of("LOOMBOARD_TEST_EVERYTHING", "1");
        assertThat(TestServer.chosen(ci, () -> true)).isEqualTo(TestServer.CONTAINER);
        assertThatThrownBy(() -> TestServer.chosen(ci, () -> false)).hasMessageContaining("LOOMBOARD_TEST_ENGINE=none");

        Map<String, String> said = Map.of("LOOMBOARD_TEST_EVERYTHING", "1", "LOOMBOARD_TEST_ENGINE", "none");
        assertThat(TestServer.chosen(said, () -> {
                    throw new AssertionError("asked for an engine that is not wanted");
                }))
                .isEqualTo(TestServer.EMBEDDED);
    }

    @Test
    void docker_isNeverReplaced() {
        assertThat(TestServer.chosen(Map.of("LOOMBOARD_TEST_ENGINE", "docker"), () -> false))
                .isEqualTo(TestServer.CONTAINER);
    }

    @Test
    void anotherWord_isRefused() {
        assertThatThrownBy(() -> TestServer.chosen(Map.of("LOOMBOARD_TEST_ENGINE", "podman"), () -> true))
                .hasMessageContaining("podman");
    }
}
