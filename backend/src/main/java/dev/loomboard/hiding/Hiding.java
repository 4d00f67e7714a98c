package dev.loomboard.hiding;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that an administrator hid.
 *
 * @param id external id, hid_…
 * @param workspace slug of the workspace, or of that of the run or machine
 * @param name of what is hidden
 * @param href its page
 * @param at when it was hidden
 * @param by the name of who did
 * @param shownAt null, with the next: it is hidden still
 */
public record Hiding(
        String id,
        HidingKind kind,
        String workspace,
        String name,
        String href,
        String reason,
        Instant at,
        String by,
        @Nullable Instant shownAt,
        @Nullable String shownBy) {

    public boolean stands() {
        return shownAt == null;
    }
}
