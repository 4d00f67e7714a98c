package dev.loomboard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.inventory.Capabilities;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a machine lacks is said in words; what is not known of it meets nothing. */
final class RequirementsTest {

    private static final Requirements MUCH =
            new Requirements(List.of("quiet", "disk=nvme"), 8, 16_384, "arm64", "apart");

    @Test
    void machine_that_has_it_all_lacks_nothing() {
        assertThat(MUCH.lackedBy(new Capabilities(Set.of("quiet", "disk=nvme", "far"), 8L, 16_384L, "arm64", true)))
                .isEmpty();
        assertThat(new Requirements(List.of(), null, null, null, null)
                        .lackedBy(new Capabilities(Set.of(), null, null, null, null)))
                .isEmpty();
    }

    @Test
    void what_lacks_is_said_beside_what_there_is() {
        assertThat(MUCH.lackedBy(new Capabilities(Set.of("quiet", "disk=sata"), 2L, 7_936L, "amd64", false)))
                .containsExactly(
                        "the label disk=nvme",
                        "8 cores (it has 2)",
                        "16384 MiB of memory (it has 7936)",
                        "the architecture arm64 (it has amd64)",
                        "load and server on cores apart (they share cores; \"pin\": \"apart\" in agent.json parts them, from 2 cores on)");
    }

    @Test
    void what_is_not_known_meets_no_requirement() {
        assertThat(MUCH.lackedBy(new Capabilities(Set.of("quiet", "disk=nvme"), null, null, null, null)))
                .containsExactly(
                        "8 cores (what it has is not known)",
                        "16384 MiB of memory (what it has is not known)",
                        "the architecture arm64 (what it has is not known)",
                        "load and server on cores apart (what it has is not known)");
    }

    @Test
    void words_are_for_people() {
        assertThat(MUCH.words())
                .isEqualTo("the label quiet, the label disk=nvme, 8 cores, 16384 MiB of memory, the architecture arm64,"
                        + " load and server on cores apart");
    }
}
