package dev.loomboard.server.vertx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A server must never be measured under a variant's name that it does not run. */
class VariantNameTest {

    @Test
    void unknownVariant_refusesToStart() {
        assertThatThrownBy(() -> RunningServer.start(List.of("--variant=virtuell")))
                .hasMessageContaining("--variant must be one of event-loop, virtual, but is virtuell");
    }

    @Test
    void noVariant_refusesToStart() {
        assertThatThrownBy(() -> RunningServer.start(List.of())).hasMessageContaining("--variant");
    }

    @Test
    void unknownArgument_refusesToStart() {
        assertThatThrownBy(() -> RunningServer.start(List.of("--varaint=virtual")))
                .hasMessageContaining("--varaint=virtual");
    }
}
