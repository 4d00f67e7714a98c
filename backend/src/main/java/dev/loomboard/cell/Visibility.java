package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;

/** Who may see a machine, matrix, run or result: everybody, or the members of its workspace. */
public enum Visibility implements WireName {
    PUBLIC,
    PRIVATE;

    public boolean isPublic() {
        return this == PUBLIC;
    }

    /** Public only where all are: a result is as visible as its matrix and its machine allow. */
    public Visibility and(Visibility other) {
        return isPublic() ? other : this;
    }
}
