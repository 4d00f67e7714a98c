package dev.loomboard.schedule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When an expression will fire, for a form or a page.
 *
 * @param problem why there is nothing to show; null: there is
 * @param notes what the clock changes of the coming year do to it
 */
public record Preview(
        String words, String cron, String zone, @Nullable String problem, List<FireTime> next, List<String> notes) {

    public Preview {
        next = List.copyOf(next);
        notes = List.copyOf(notes);
    }

    public static Preview refused(String problem) {
        return new Preview("", "", "", problem, List.of(), List.of());
    }
}
