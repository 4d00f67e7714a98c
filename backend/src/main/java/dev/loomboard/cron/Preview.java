package dev.loomboard.cron;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When an expression will fire, for a form or a page.
 *
 * @param problem why there is nothing to show; null: there is
 * @param notes what the clock changes of the coming year do to it
 * @param control what build stays beside it and what that costs, in a sentence; null: it is not known what is measured, or shown elsewhere
 */
public record Preview(
        String words,
        String cron,
        String zone,
        @Nullable String problem,
        List<FireTime> next,
        List<String> notes,
        @Nullable String control) {

    public Preview {
        next = List.copyOf(next);
        notes = List.copyOf(notes);
    }

    public Preview with(String sentence) {
        return new Preview(words, cron, zone, problem, next, notes, sentence);
    }

    public static Preview refused(String problem) {
        return new Preview("", "", "", problem, List.of(), List.of(), null);
    }
}
