package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;

/** Where a trial is. A trial that ended never changes again. */
public enum TrialState implements WireName {
    PLANNED,
    RUNNING,
    DONE,
    FAILED,
    ABORTED;

    public boolean ended() {
        return switch (this) {
            case PLANNED, RUNNING -> false;
            case DONE, FAILED, ABORTED -> true;
        };
    }
}
