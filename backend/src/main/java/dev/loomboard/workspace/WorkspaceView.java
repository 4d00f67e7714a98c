package dev.loomboard.workspace;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;

/**
 * A workspace, as its page shows it.
 *
 * @param id external id, wsp_…
 * @param visibility what its owners chose
 * @param hidden whether an administrator hid it from others
 * @param shipped its results ship with Loomboard: nobody belongs to it, and nothing runs in it
 */
public record WorkspaceView(
        WorkspaceId key,
        String id,
        String slug,
        String name,
        Visibility visibility,
        boolean hidden,
        boolean shipped,
        Instant createdAt) {

    public boolean isPublic() {
        return visibility.isPublic();
    }

    /** The one that every installation has from the start, which cannot be deleted. */
    public boolean ofInstallation() {
        return slug.equals(WorkspaceId.OWN);
    }
}
