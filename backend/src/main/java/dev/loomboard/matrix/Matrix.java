package dev.loomboard.matrix;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Internal;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;

/** A matrix as it is stored. */
public record Matrix(
        Internals internals,
        String id,
        String workspace,
        String slug,
        String title,
        Visibility visibility,
        MatrixSpec spec,
        Instant updatedAt) {

    /**
     * What JSON leaves out.
     *
     * @param source the YAML as it was written, comments included
     */
    record Internals(long key, WorkspaceId workspaceKey, String source) implements Internal {}

    public long key() {
        return internals.key();
    }

    public WorkspaceId workspaceKey() {
        return internals.workspaceKey();
    }

    public String source() {
        return internals.source();
    }

    /** What a follow-up of one of its runs is made of: that run's spec and visibility, and a title of its own. */
    public Matrix as(String otherTitle, Visibility otherVisibility, MatrixSpec otherSpec) {
        return new Matrix(internals, id, workspace, slug, otherTitle, otherVisibility, otherSpec, updatedAt);
    }

    /** A part of it, which a run measures. */
    public Matrix only(MatrixPart part) {
        return as(title, visibility, part.of(spec));
    }

    public boolean isPublic() {
        return visibility.isPublic();
    }
}
