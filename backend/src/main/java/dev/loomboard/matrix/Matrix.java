package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;

/**
 * A matrix as it is stored.
 *
 * @param source the YAML as it was written, comments included
 */
public record Matrix(
        @JsonIgnore long key,
        @JsonIgnore WorkspaceId workspaceKey,
        String id,
        String workspace,
        String slug,
        String title,
        Visibility visibility,
        MatrixSpec spec,
        @JsonIgnore String source,
        Instant updatedAt) {

    /** What a follow-up of one of its runs is made of: that run's spec and visibility, and a title of its own. */
    public Matrix as(String otherTitle, Visibility otherVisibility, MatrixSpec otherSpec) {
        return new Matrix(
                key, workspaceKey, id, workspace, slug, otherTitle, otherVisibility, otherSpec, source, updatedAt);
    }

    public boolean isPublic() {
        return visibility.isPublic();
    }
}
