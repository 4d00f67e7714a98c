package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;
import java.util.Arrays;

/** Which of the runs that wait for a machine goes first. */
public enum RunPriority implements WireName {
    LOW(-1),
    NORMAL(0),
    HIGH(1);

    private final int stored;

    RunPriority(int stored) {
        this.stored = stored;
    }

    /** As the table has it: the highest goes first. */
    public int stored() {
        return stored;
    }

    public static RunPriority ofStored(int stored) {
        return Arrays.stream(values())
                .filter(priority -> priority.stored == stored)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no priority is stored as " + stored));
    }
}
