package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;
import java.util.Optional;

/** Who may see a machine, matrix, run or result: everybody, or the members of its workspace. */
public enum Visibility implements WireName {
    PUBLIC,
    PRIVATE;

    /** As a form has it, where nothing typed is public; empty: neither. */
    public static Optional<Visibility> typed(String text) {
        return text.isEmpty() ? Optional.of(PUBLIC) : WireName.find(Visibility.class, text);
    }

    public boolean isPublic() {
        return this == PUBLIC;
    }

    /** Public only where all are: a result is as visible as its matrix and its machine allow. */
    public Visibility and(Visibility other) {
        return isPublic() ? other : this;
    }
}
