package dev.loomboard.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HostStateTest {

    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

    @Test
    void each_state_says_what_is_another_than_before() {
        List<HostState> states = HostState.timeline(
                List.of(
                        row(0, "a", "0.1.0", "6.1", "0x1", "powersave"),
                        row(1, "b", "0.1.0", "6.2", "0x1", "powersave"),
                        row(2, "b", "0.2.0", "6.2", "0x2", null)),
                null);
        assertThat(states).hasSize(3);
        assertThat(states.getFirst().changes()).isEmpty();
        assertThat(states.getFirst().comparable()).isTrue();
        assertThat(states.get(1).kernel()).isEqualTo("6.2");
        assertThat(states.get(1).changes()).containsExactly("kernel.release 6.1 → 6.2");
        assertThat(states.get(1).comparable()).isFalse();
        assertThat(states.get(2).changes())
                .containsExactly(
                        "agent 0.1.0 → 0.2.0", "cpu.governor powersave → not known", "shown.microcode 0x1 → 0x2");
        assertThat(states.get(2).comparable())
                .as("the microcode was not part of the fingerprint then")
                .isTrue();
        assertThat(states.get(2).governor()).isNull();
        assertThat(states.get(2).firmware()).isEqualTo("microcode 0x2");
    }

    @Test
    void what_was_over_before_the_first_point_is_left_out_and_what_held_then_is_not() {
        List<HostState.Row> rows = List.of(
                row(0, "a", "0.1.0", "6.1", "0x1", null),
                row(10, "b", "0.1.0", "6.2", "0x1", null),
                row(20, "c", "0.1.0", "6.3", "0x1", null));
        List<HostState> states = HostState.timeline(rows, START.plusSeconds(15));
        assertThat(states).extracting(HostState::kernel).containsExactly("6.2", "6.3");
        assertThat(states.getFirst().changes()).as("nothing is shown before it").isEmpty();
    }

    @Test
    void firmware_is_found_where_agents_put_it_then_and_now() {
        assertThat(HostState.timeline(
                        List.of(
                                new HostState.Row(
                                        START,
                                        "a",
                                        "0.1.0",
                                        Map.of("shown", Map.of("firmware", "Dell 2.19", "microcode", "0x1"))),
                                new HostState.Row(
                                        START.plusSeconds(1),
                                        "b",
                                        "0.2.0",
                                        Map.of("firmware", Map.of("system", "Dell 2.20", "microcode", "0x2")))),
                        null))
                .extracting(HostState::firmware)
                .containsExactly("Dell 2.19, microcode 0x1", "Dell 2.20, microcode 0x2");
    }

    private static HostState.Row row(
            int second, String fingerprint, String agent, String kernel, String microcode, @Nullable String governor) {
        Map<String, Object> cpu = new HashMap<>();
        cpu.put("governor", governor);
        return new HostState.Row(
                START.plusSeconds(second),
                fingerprint,
                agent,
                Map.of("cpu", cpu, "kernel", Map.of("release", kernel), "shown", Map.of("microcode", microcode)));
    }
}
