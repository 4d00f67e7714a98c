package dev.loomboard.kernel;

import static dev.loomboard.kernel.Right.NOTE;
import static dev.loomboard.kernel.Right.READ;
import static dev.loomboard.kernel.Right.RUN;
import static dev.loomboard.kernel.Right.TRIAGE;

import java.util.EnumSet;
import java.util.Set;

/** What a person is in a workspace: the table of who may do what. */
public enum Role implements WireName {
    OWNER(EnumSet.allOf(Right.class)),
    MEMBER(EnumSet.of(READ, RUN, NOTE, TRIAGE)),
    VIEWER(EnumSet.of(READ));

    private final Set<Right> rights;

    Role(Set<Right> rights) {
        this.rights = Set.copyOf(rights);
    }

    public boolean may(Right right) {
        return rights.contains(right);
    }
}
