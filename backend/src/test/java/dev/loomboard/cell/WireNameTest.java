package dev.loomboard.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.Caller.TokenScope;
import dev.loomboard.kernel.WireName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class WireNameTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void constant_is_written_and_read_in_lower_case_with_hyphens() {
        assertThat(ConcurrencyModel.EVENT_LOOP.wire()).isEqualTo("event-loop");
        assertThat(JSON.writeValueAsString(ConcurrencyModel.EVENT_LOOP)).isEqualTo("\"event-loop\"");
        assertThat(JSON.readValue("\"event-loop\"", ConcurrencyModel.class)).isEqualTo(ConcurrencyModel.EVENT_LOOP);
        assertThat(WireName.of(RunState.class, "disconnected")).isEqualTo(RunState.DISCONNECTED);
    }

    @Test
    void wire_name_that_is_written_by_hand_is_read_and_written_so() {
        assertThat(JSON.writeValueAsString(TokenScope.RUN_WRITE)).isEqualTo("\"run:write\"");
        assertThat(JSON.readValue("\"run:write\"", TokenScope.class)).isEqualTo(TokenScope.RUN_WRITE);
    }

    @Test
    void text_that_is_no_constant_is_refused_with_all_that_are() {
        assertThat(WireName.find(Availability.class, "EA")).isEmpty();
        assertThatThrownBy(() -> WireName.of(Availability.class, "EA"))
                .hasMessage("Availability must be one of ea, ga, is: EA");
    }
}
