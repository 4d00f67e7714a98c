package dev.loomboard.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What machines are, read of their facts, and how their labels are typed. */
final class CapabilitiesTest {

    @Test
    void facts_tell_cores_memory_architecture_and_placement() {
        Map<String, Object> facts = Map.of(
                "arch",
                "amd64",
                "cpu",
                Map.of("cores", 2),
                "memory",
                Map.of("bytes", 25_769_803_776L),
                "placement",
                "pinned");
        assertThat(Capabilities.of(Set.of("quiet"), facts))
                .isEqualTo(new Capabilities(Set.of("quiet"), 2L, 24_576L, "amd64", true));
        assertThat(Capabilities.of(Set.of(), Map.of("placement", "same-host")).apart())
                .isFalse();
    }

    @Test
    void what_facts_do_not_tell_is_not_known_rather_than_nothing() {
        assertThat(Capabilities.of(Set.of(), Map.of("cpu", "one", "memory", Map.of())))
                .isEqualTo(new Capabilities(Set.of(), null, null, null, null));
    }

    @Test
    void labels_are_typed_with_spaces_or_commas_and_said_when_they_are_odd() {
        assertThat(Labels.typed(" quiet, disk=nvme\nquiet ")).containsExactly("quiet", "disk=nvme");
        assertThat(Labels.typed("  ")).isEmpty();
        assertThat(Labels.problem(List.of("quiet", "disk=nvme", "a.b-c_d=V1.0")))
                .isNull();
        for (String odd : new String[] {"Quiet", "=x", "disk=", "a=b=c", "x".repeat(33), "a=" + "x".repeat(33), "ü"}) {
            assertThat(Labels.problem(List.of("quiet", odd))).as(odd).endsWith("one is: " + odd);
        }
        assertThat(Labels.problem(Collections.nCopies(21, "a"))).contains("20 at most");
    }
}
