package dev.loomboard.server.webflux;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A server must never be measured under a variant's name that it does not run. */
class VariantNameTest {

    @Test
    void unknownVariant_refusesToStart() {
        assertThatThrownBy(() -> RunningServer.start(List.of("--loomboard.variant=platfrom-100")))
                .hasMessageContaining("variants/platfrom-100.yaml");
    }

    @Test
    void noVariant_refusesToStart() {
        assertThatThrownBy(() -> RunningServer.start(List.of())).hasMessageContaining("loomboard.variant");
    }
}
