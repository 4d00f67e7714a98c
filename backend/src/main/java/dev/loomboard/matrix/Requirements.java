package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.inventory.Capabilities;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a machine must be to run a matrix; null: it does not matter.
 *
 * @param labels all of them
 * @param cores at least
 * @param memoryMiB at least
 * @param architecture such as amd64
 * @param placement apart: load and server have cores, or hosts, of their own
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Requirements(
        List<String> labels,
        @Nullable Integer cores,
        @Nullable Integer memoryMiB,
        @Nullable String architecture,
        @Nullable String placement) {

    private static final String APART = "load and server on cores apart";
    private static final String UNKNOWN = " (what it has is not known)";

    public Requirements {
        labels = labels == null ? List.of() : List.copyOf(labels);
    }

    /** What of this a machine lacks, in words; empty: nothing. */
    public List<String> lackedBy(Capabilities machine) {
        List<String> lacks = new ArrayList<>();
        labels.stream()
                .filter(label -> !machine.labels().contains(label))
                .forEach(label -> lacks.add("the label " + label));
        least(lacks, cores, machine.cores(), " cores");
        least(lacks, memoryMiB, machine.memoryMiB(), " MiB of memory");
        if (architecture != null && !architecture.equals(machine.architecture())) {
            lacks.add("the architecture " + architecture
                    + (machine.architecture() == null ? UNKNOWN : " (it has " + machine.architecture() + ")"));
        }
        if (placement != null && !Boolean.TRUE.equals(machine.apart())) {
            lacks.add(APART
                    + (machine.apart() == null
                            ? UNKNOWN
                            : " (they share cores; \"pin\": \"apart\" in agent.json parts them, from 2 cores on)"));
        }
        return List.copyOf(lacks);
    }

    /** For people. */
    public String words() {
        List<String> words = new ArrayList<>();
        labels.forEach(label -> words.add("the label " + label));
        if (cores != null) {
            words.add(cores + " cores");
        }
        if (memoryMiB != null) {
            words.add(memoryMiB + " MiB of memory");
        }
        if (architecture != null) {
            words.add("the architecture " + architecture);
        }
        if (placement != null) {
            words.add(APART);
        }
        return String.join(", ", words);
    }

    private static void least(List<String> lacks, @Nullable Integer wanted, @Nullable Long has, String unit) {
        if (wanted != null && (has == null || has < wanted)) {
            lacks.add(wanted + unit + (has == null ? UNKNOWN : " (it has " + has + ")"));
        }
    }
}
