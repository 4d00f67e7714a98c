package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.web.WorkspaceId;
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
        String visibility,
        MatrixSpec spec,
        @JsonIgnore String source,
        Instant updatedAt) {

    public boolean isPublic() {
        return visibility.equals("public");
    }
}
